import type { ChatPostMessageArguments, ChatUpdateArguments, WebClient } from '@slack/web-api';
import { z } from 'zod';

import type { SendResult, UpdateResult } from '../../engine/prepared-send.ts';
import { cutText } from '../../report/clean-text.ts';
import { escapeToLength, unescapeMrkdwn } from './blocks.ts';
import { classifySlackError, classifySlackUpdate, readSlackCode } from './classify-slack-error.ts';
import {
  effectEventType,
  formatReference,
  parseReference,
  type RichTextLeaf,
  type SlackMessage,
  type SlackPlace,
} from './message.ts';
import type { PostJson } from './post-json.ts';
import { textLeaf } from './rich-text.ts';

export interface PostTools {
  readonly post: PostJson;
  readonly client: WebClient;
  /** The same with half the time per call, for a second call within the time of the first. */
  readonly retryClient: WebClient;
  /** Milliseconds per call. */
  readonly timeoutMs: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

export interface PostTarget {
  readonly channel: string;
  readonly threadTs?: string;
  readonly effectKey: string;
}

const postedSchema = z.object({ channel: z.string(), ts: z.string() });

/** Posts a message with the key of its effect as metadata, by which `findSlackMessage` finds it. Never throws. */
export async function postMessage(
  message: SlackMessage,
  { channel, threadTs, effectKey }: PostTarget,
  tools: PostTools,
): Promise<SendResult> {
  const payload = { key: effectKey, ...(message.reply === undefined ? {} : { reply: message.reply }) };
  const post = async ({ text, blocks, ownBlocks }: SlackMessage, timeoutMs: number): Promise<SendResult> => {
    const request: ChatPostMessageArguments = {
      channel,
      text,
      blocks: [...(ownBlocks ?? blocks)],
      metadata: { event_type: effectEventType, event_payload: payload },
      unfurl_links: false,
      unfurl_media: false,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    };
    const posted = postedSchema.safeParse(await tools.post(request, timeoutMs));
    if (!posted.success) {
      return { result: 'unknown', cause: "Slack's answer names no message", contact: 'answered' };
    }
    return { result: 'sent', reference: formatReference(posted.data.channel, posted.data.ts) };
  };
  try {
    return await withPlainFallback(post, message, tools);
  } catch (error) {
    return classifySlackError(error);
  }
}

/**
 * Most bytes of the text of a changed message; a new message may have ten times as many (docs.slack.dev, chat.update,
 * msg_too_long). The blocks, which people see, hold all of it.
 */
const maxUpdateBytes = 4000;

/**
 * Changes a message and its thread. Without metadata in the request Slack keeps the old metadata (docs.slack.dev,
 * chat.update): the message keeps the key of the effect that posted it. A change is never looked for, it is repeated.
 */
export async function updateMessage(
  message: SlackMessage,
  reference: string,
  tools: PostTools,
): Promise<UpdateResult> {
  const place = parseReference(reference);
  if (place === undefined) {
    return { result: 'permanent', cause: 'the stored reference names no message', contact: 'none' };
  }
  const change = async (
    caller: WebClient,
    ts: string,
    { text, blocks, ownBlocks }: SlackMessage,
  ): Promise<void> => {
    const short = escapeToLength(unescapeMrkdwn(text), maxUpdateBytes, countBytes);
    const request: ChatUpdateArguments = {
      channel: place.channel,
      ts,
      text: short,
      blocks: [...(ownBlocks ?? blocks)],
    };
    await caller.chat.update(request);
  };
  const { client, retryClient, clock, timeoutMs } = tools;
  const startMs = clock();
  try {
    await withPlainFallback(
      (attempt, limitMs) => change(limitMs < timeoutMs ? retryClient : client, place.ts, attempt),
      message,
      tools,
    );
  } catch (error) {
    return classifySlackUpdate(error);
  }
  if (message.replies === undefined) return { result: 'sent', reference };
  const failure = await syncThread(place, message.replies, {
    client: retryClient,
    change: (ts, reply) => change(retryClient, ts, reply),
    hasTime: () => clock() - startMs < timeoutMs / 2,
  });
  return failure ?? { result: 'sent', reference };
}

function countBytes(text: string): number {
  return Buffer.byteLength(text);
}

/** Slack rejects how the message is built, not what it says. */
const blockErrors: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
]);

/** Where Slack rejects the blocks, one more attempt with plain text. Only after a clear refusal, so nothing is posted twice. */
async function withPlainFallback<Result>(
  attempt: (message: SlackMessage, timeoutMs: number) => Promise<Result>,
  message: SlackMessage,
  { timeoutMs, clock }: PostTools,
): Promise<Result> {
  const startMs = clock();
  try {
    return await attempt(message, timeoutMs);
  } catch (error) {
    const areBlocksRejected = blockErrors.has(readSlackCode(error) ?? '');
    if (!areBlocksRejected || clock() - startMs >= timeoutMs / 2) throw error;
    return await attempt(simplifyMessage(message), timeoutMs / 2);
  }
}

/** Far below every limit that Slack documents or enforces. */
const maxSimpleLength = 3000;

/** The same message as one plain text with its links. Pure. */
export function simplifyMessage({ text, blocks }: SlackMessage): SlackMessage {
  const plain = cutText(unescapeMrkdwn(text), maxSimpleLength);
  const links = blocks.flatMap((block) =>
    block.type === 'actions'
      ? block.elements.map(({ url, text: label }): RichTextLeaf => ({ type: 'link', url, text: label.text }))
      : [],
  );
  const elements = [textLeaf(plain), ...links.flatMap((link) => [textLeaf('\n'), link])];
  return {
    text: escapeToLength(plain, maxSimpleLength),
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
  };
}

const threadSchema = z.object({ messages: z.array(z.unknown()).default([]) });
const replySchema = z.object({
  ts: z.string(),
  text: z.string().default(''),
  metadata: z.object({
    event_type: z.literal(effectEventType),
    event_payload: z.object({ reply: z.int().min(1) }),
  }),
});

/** Replaces the text of a reply that the recap no longer has. */
const retiredText = 'This part is not in the report any more.';
const retiredReply: SlackMessage = {
  text: retiredText,
  blocks: [
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [textLeaf(retiredText, { italic: true })] }],
    },
  ],
};

type UpdateFailure = Exclude<UpdateResult, { result: 'sent' }>;

interface ThreadTools {
  readonly client: WebClient;
  /** Changes the message of that `ts` in the same channel. Throws what Slack's client throws. */
  readonly change: (ts: string, message: SlackMessage) => Promise<unknown>;
  /** No call begins after it answers false. */
  readonly hasTime: () => boolean;
}

/**
 * Empties the replies that a changed recap no longer has, and restores emptied replies that it has again: their own
 * effects find their content unchanged and would leave them empty. Only a failure to restore is returned, so that the
 * update is tried again; a leftover reply is no failure of the recap.
 */
async function syncThread(
  { channel, ts }: SlackPlace,
  replies: readonly SlackMessage[],
  { client, change, hasTime }: ThreadTools,
): Promise<UpdateFailure | undefined> {
  const orNone = (failure: UpdateFailure): UpdateFailure | undefined =>
    replies.length > 0 ? failure : undefined;
  if (!hasTime()) return orNone(tooSlow);
  try {
    const request = { channel, ts, limit: 200, include_all_metadata: true };
    const { messages } = threadSchema.parse(await client.conversations.replies(request));
    for (const message of messages) {
      const { data: reply } = replySchema.safeParse(message);
      if (reply === undefined) continue;
      const wanted = replies[reply.metadata.event_payload.reply - 1];
      const isRetired = reply.text === retiredText;
      if (isRetired === (wanted === undefined)) continue;
      if (!hasTime()) return orNone(tooSlow);
      await change(reply.ts, wanted ?? retiredReply);
    }
    return undefined;
  } catch (error) {
    const failure = classifySlackUpdate(error);
    return failure.result === 'permanent' || failure.result === 'gone' ? undefined : orNone(failure);
  }
}

const tooSlow: UpdateFailure = {
  result: 'not_sent_retry',
  cause: 'Slack was too slow to update the replies',
  contact: 'answered',
};
