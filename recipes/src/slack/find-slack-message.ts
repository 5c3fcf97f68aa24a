import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

import { explainFailedLook } from '../explain-failed-look.ts';
import type { ProbeResult } from '../shipment.ts';
import { classifySlackError } from './classify-slack-error.ts';
import { effectEventType, formatReference } from './slack-reference.ts';

/** Slack's clock and the one that was looked at before the first attempt may differ by this much. */
const clockSlackSeconds = 600;
/** Where the message is most likely: a first attempt is over within this. */
const firstMinutesSeconds = 300;
/** How much of a history is read: Slack lets this be called about 50 times a minute, and a whole look takes half of that. */
const usualBounds = { pageLength: 200, mostPages: 12 };

const historySchema = z.object({
  messages: z.array(z.unknown()).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});
const filesSchema = z.object({ files: z.array(z.object({ id: z.string(), name: z.string() })) });
const markedSchema = z.object({
  ts: z.string(),
  metadata: z.object({
    event_type: z.literal(effectEventType),
    event_payload: z.object({ key: z.string() }),
  }),
});

/** What is looked for, and where. */
export interface SoughtMessage {
  readonly effectKey: string;
  /** The id of the channel. */
  readonly target: string;
  /** Among the replies to this message. */
  readonly threadTs?: string;
  /** A file whose name ends so, which carries no key. */
  readonly fileEnding?: string;
}

/** Part of a channel's history, in seconds since 1970, both ends included, and how much of it is read. */
interface Span {
  readonly oldest: number;
  readonly latest?: number;
  readonly pages: number;
  readonly pageLength: number;
}

/** `more`: the span has more pages than were asked for. */
type Look =
  | { readonly seen: 'found'; readonly reference: string }
  | { readonly seen: 'all' | 'more' | 'too_slow' };

/**
 * Looks for the message of an effect in the channel's history or a thread, among what was posted since `sinceMs`. One page of the
 * newest messages is all that most channels have; in a busy one the first minutes come next, because Slack would show
 * them last. Over within `timeoutMs` and one more call.
 */
export async function findSlackMessage(
  client: WebClient,
  label: SoughtMessage,
  sinceMs: number,
  timeoutMs: number,
  { pageLength, mostPages } = usualBounds,
): Promise<ProbeResult> {
  const ending = AbortSignal.timeout(timeoutMs);
  const since = Math.floor(sinceMs / 1000);
  const oldest = since - clockSlackSeconds;
  const border = since + firstMinutesSeconds;
  const plan = [
    { span: { oldest }, pages: 1, isWhole: true },
    { span: { oldest, latest: border }, pages: mostPages, isWhole: false },
    { span: { oldest: border }, pages: mostPages, isWhole: false },
  ];
  let isLookedThrough = true;
  try {
    for (const { span, pages, isWhole } of plan) {
      const look = await lookThrough(client, label, { ...span, pages, pageLength }, ending);
      if (look.seen === 'found') return { result: 'found', reference: look.reference };
      if (look.seen === 'too_slow') {
        const cause = 'the history of the channel could not be read in time';
        // One page after the other has come; only all of them were too many.
        return { result: 'not_asked', cause, contact: 'answered' };
      }
      if (isWhole && look.seen === 'all') break;
      if (!isWhole && look.seen === 'more') isLookedThrough = false;
    }
    if (isLookedThrough) return { result: 'absent' };
    return { result: 'unsure', cause: 'the channel has more new messages than were looked through' };
  } catch (error) {
    const failure = classifySlackError(error);
    const cause = `whether the message was posted could not be looked up: ${failure.cause}`;
    return explainFailedLook(failure, cause);
  }
}

async function lookThrough(
  client: WebClient,
  sought: SoughtMessage,
  { oldest, latest, pages, pageLength }: Span,
  ending: AbortSignal,
): Promise<Look> {
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    if (ending.aborted) return { seen: 'too_slow' };
    const asked = {
      channel: sought.target,
      oldest: String(oldest),
      ...(latest === undefined ? {} : { latest: String(latest) }),
      inclusive: true,
      limit: pageLength,
      include_all_metadata: true,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const answer = historySchema.parse(
      sought.threadTs === undefined
        ? await client.conversations.history(asked)
        : await client.conversations.replies({ ...asked, ts: sought.threadTs }),
    );
    const reference = findMarked(answer.messages, sought);
    if (reference !== undefined) return { seen: 'found', reference };
    cursor = answer.response_metadata?.next_cursor;
    if (cursor === undefined || cursor === '') return { seen: 'all' };
  }
  return { seen: 'more' };
}

function findMarked(
  messages: readonly unknown[],
  { effectKey, target, fileEnding }: SoughtMessage,
): string | undefined {
  for (const message of messages) {
    if (fileEnding !== undefined) {
      const shared = filesSchema.safeParse(message);
      const file = shared.data?.files.find(({ name }) => name.endsWith(fileEnding));
      if (file !== undefined) return formatReference(target, file.id);
      continue;
    }
    const marked = markedSchema.safeParse(message);
    if (marked.success && marked.data.metadata.event_payload.key === effectKey) {
      return formatReference(target, marked.data.ts);
    }
  }
  return undefined;
}
