import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

import { explainFailedLook, type ProbeResult } from '../../engine/prepared-send.ts';
import { classifySlackError } from './classify-slack-error.ts';
import { effectEventType, formatReference } from './message.ts';

export interface MessageQuery {
  readonly effectKey: string;
  /** Id of the channel. */
  readonly channel: string;
  /** Search the replies to this message. */
  readonly threadTs?: string;
  /** Search for a file whose name ends like this; a file carries no key. */
  readonly fileEnding?: string;
}

/** Slack's clock and ours may differ by this much. */
const clockSkewSeconds = 600;
/** The message is most likely here: a first attempt ends within this time. */
const firstMinutesSeconds = 300;
/** Slack allows about 50 of these calls in a minute; one probe takes at most half of that. */
const defaultLimits = { pageLength: 200, maxPages: 12 };

/**
 * Looks for the message of an effect in the history of a channel or in a thread, among what was posted since `sinceMs`.
 * Most channels need only one page of the newest messages. In a busy one the first minutes come next, because Slack
 * would list them last. Ends within `timeoutMs` and one more call. Never throws.
 */
export async function findSlackMessage(
  client: WebClient,
  query: MessageQuery,
  sinceMs: number,
  timeoutMs: number,
  { pageLength, maxPages } = defaultLimits,
): Promise<ProbeResult> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const since = Math.floor(sinceMs / 1000);
  const oldest = since - clockSkewSeconds;
  const border = since + firstMinutesSeconds;
  const spans: readonly (HistorySpan & { readonly isEverything: boolean })[] = [
    { oldest, pages: 1, pageLength, isEverything: true },
    { oldest, latest: border, pages: maxPages, pageLength, isEverything: false },
    { oldest: border, pages: maxPages, pageLength, isEverything: false },
  ];
  let isComplete = true;
  try {
    for (const { isEverything, ...span } of spans) {
      const search = await searchSpan(client, query, span, timeout);
      if (search.result === 'found') return { result: 'found', reference: search.reference };
      if (search.result === 'timeout') {
        const cause = 'the history of the channel could not be read in time';
        // Each page came; there were too many of them.
        return { result: 'not_asked', cause, contact: 'answered' };
      }
      if (isEverything && search.result === 'end') break;
      if (!isEverything && search.result === 'more') isComplete = false;
    }
    if (isComplete) return { result: 'absent' };
    return { result: 'unsure', cause: 'the channel has more new messages than were looked through' };
  } catch (error) {
    const failure = classifySlackError(error);
    const cause = `whether the message was posted could not be looked up: ${failure.cause}`;
    return explainFailedLook(failure, cause);
  }
}

/** Part of a channel's history, in seconds since 1970, both ends included, and how much of it to read. */
interface HistorySpan {
  readonly oldest: number;
  readonly latest?: number;
  readonly pages: number;
  readonly pageLength: number;
}

/** `end`: the whole span was read. `more`: the span has more pages. */
type SpanSearch =
  | { readonly result: 'found'; readonly reference: string }
  | { readonly result: 'end' | 'more' | 'timeout' };

const historySchema = z.object({
  messages: z.array(z.unknown()).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

async function searchSpan(
  client: WebClient,
  query: MessageQuery,
  { oldest, latest, pages, pageLength }: HistorySpan,
  timeout: AbortSignal,
): Promise<SpanSearch> {
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    if (timeout.aborted) return { result: 'timeout' };
    const request = {
      channel: query.channel,
      oldest: String(oldest),
      ...(latest === undefined ? {} : { latest: String(latest) }),
      inclusive: true,
      limit: pageLength,
      include_all_metadata: true,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const answer = historySchema.parse(
      query.threadTs === undefined
        ? await client.conversations.history(request)
        : await client.conversations.replies({ ...request, ts: query.threadTs }),
    );
    const reference = findMatch(answer.messages, query);
    if (reference !== undefined) return { result: 'found', reference };
    cursor = answer.response_metadata?.next_cursor;
    if (cursor === undefined || cursor === '') return { result: 'end' };
  }
  return { result: 'more' };
}

const filesSchema = z.object({ files: z.array(z.object({ id: z.string(), name: z.string() })) });
const effectMessageSchema = z.object({
  ts: z.string(),
  metadata: z.object({
    event_type: z.literal(effectEventType),
    event_payload: z.object({ key: z.string() }),
  }),
});

function findMatch(
  messages: readonly unknown[],
  { effectKey, channel, fileEnding }: MessageQuery,
): string | undefined {
  for (const message of messages) {
    if (fileEnding !== undefined) {
      const files = filesSchema.safeParse(message).data?.files ?? [];
      const file = files.find(({ name }) => name.endsWith(fileEnding));
      if (file !== undefined) return formatReference(channel, file.id);
      continue;
    }
    const { data: found } = effectMessageSchema.safeParse(message);
    if (found?.metadata.event_payload.key === effectKey) return formatReference(channel, found.ts);
  }
  return undefined;
}
