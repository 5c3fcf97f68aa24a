import type { ChatPostMessageArguments, ChatUpdateArguments, WebClient } from '@slack/web-api';
import { z } from 'zod';

import type { SendResult, UpdateResult } from '../shipment.ts';
import { classifySlackError, classifySlackUpdate, readSlackCode } from './classify-slack-error.ts';
import { escapeWithin, unescapeMrkdwn } from './escape-mrkdwn.ts';
import { simplifyMessage } from './simplify-message.ts';
import type { SlackMessage } from './slack-message.ts';
import { effectEventType, formatReference, readReference } from './slack-reference.ts';
import { tidyThread } from './tidy-thread.ts';

/** Slack, and how long one call to it takes at most. */
export interface PostingTools {
  readonly client: WebClient;
  /** A call with half the time, for a second attempt within that of the first one. */
  readonly hastyClient: WebClient;
  readonly timeoutMs: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

export interface PostPlace {
  readonly channel: string;
  readonly threadTs?: string;
  readonly effectKey: string;
}

const postedSchema = z.object({ channel: z.string(), ts: z.string() });

/** Refusals of what the message is made of, and not of what it says. */
const blockRefusals: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
]);

/** Posts a message with the key of its effect as metadata, by which it is found again. Never throws. */
export async function postMessage(
  message: SlackMessage,
  { channel, threadTs, effectKey }: PostPlace,
  tools: PostingTools,
): Promise<SendResult> {
  const mark = { key: effectKey, ...(message.reply === undefined ? {} : { reply: message.reply }) };
  const post = async (client: WebClient, { text, blocks }: SlackMessage): Promise<SendResult> => {
    const asked: ChatPostMessageArguments = {
      channel,
      text,
      blocks: [...blocks],
      metadata: { event_type: effectEventType, event_payload: mark },
      unfurl_links: false,
      unfurl_media: false,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
    const posted = postedSchema.safeParse(await client.chat.postMessage(asked));
    if (!posted.success) {
      return { result: 'unknown', cause: "Slack's answer names no message", contact: 'answered' };
    }
    return { result: 'sent', reference: formatReference(posted.data.channel, posted.data.ts) };
  };
  try {
    return await tryPlainly(post, message, tools);
  } catch (error) {
    return classifySlackError(error);
  }
}

/**
 * Of a change Slack takes a text of 4000 bytes, of a new message ten times as many (docs.slack.dev, chat.update,
 * msg_too_long). The blocks, which people see, hold all of it.
 */
const mostBytes = 4000;

/**
 * The metadata is not given, so it stays (docs.slack.dev, chat.update): the message goes on carrying the key of the
 * effect that posted it, which alone may have to be found. A change is never looked for; it is made again.
 */
export async function updateMessage(
  message: SlackMessage,
  reference: string,
  tools: PostingTools,
): Promise<UpdateResult> {
  const place = readReference(reference);
  if (place === undefined) {
    const cause = 'what is known of the message does not say where it is';
    return { result: 'permanent', cause, contact: 'none' };
  }
  const { hastyClient, clock, timeoutMs } = tools;
  const change = async (client: WebClient, ts: string, { text, blocks }: SlackMessage): Promise<void> => {
    const words = escapeWithin(unescapeMrkdwn(text), mostBytes, countBytes);
    const asked: ChatUpdateArguments = { channel: place.channel, ts, text: words, blocks: [...blocks] };
    await client.chat.update(asked);
  };
  const startMs = clock();
  try {
    await tryPlainly((client, plain) => change(client, place.ts, plain), message, tools);
    const failure =
      message.replies === undefined
        ? undefined
        : await tidyThread(place, message.replies, {
            client: hastyClient,
            change: (ts, reply) => change(hastyClient, ts, reply),
            mayGoOn: () => clock() - startMs < timeoutMs / 2,
          });
    return failure ?? { result: 'sent', reference };
  } catch (error) {
    return classifySlackUpdate(error);
  }
}

/**
 * Where Slack refuses the blocks, one more attempt with plain text: a recap that looks poor is worth more than none.
 * Only after a clear refusal: what may have been posted is never posted again from here.
 */
async function tryPlainly<Result>(
  attempt: (client: WebClient, message: SlackMessage) => Promise<Result>,
  message: SlackMessage,
  { client, hastyClient, timeoutMs, clock }: PostingTools,
): Promise<Result> {
  const startMs = clock();
  try {
    return await attempt(client, message);
  } catch (error) {
    const isRefused = blockRefusals.has(readSlackCode(error) ?? '');
    if (!isRefused || clock() - startMs >= timeoutMs / 2) throw error;
    return await attempt(hastyClient, simplifyMessage(message));
  }
}

function countBytes(text: string): number {
  return Buffer.byteLength(text);
}
