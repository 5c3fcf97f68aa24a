import { z } from 'zod';

import type { SlackMessage } from './slack-message.ts';

export const historySchema = z.object({
  oldest: z.string().optional(),
  latest: z.string().optional(),
  inclusive: z.boolean().default(false),
  include_all_metadata: z.boolean().default(false),
  limit: z.number().int().min(1).max(999).catch(100),
  cursor: z.string().optional(),
});

export type HistoryArguments = z.output<typeof historySchema>;

export interface HistoryPage {
  readonly messages: readonly SlackMessage[];
  readonly hasMore: boolean;
  readonly nextCursor: string;
}

const tsPattern = /^\d{1,12}(\.\d{1,6})?$/;

/** Slack's refusal of a time or a cursor that is none. */
export function refuseRange({ oldest, latest, cursor }: HistoryArguments): string | undefined {
  if (oldest !== undefined && oldest !== '' && !tsPattern.test(oldest)) return 'invalid_ts_oldest';
  if (latest !== undefined && latest !== '' && latest !== 'now' && !tsPattern.test(latest)) {
    return 'invalid_ts_latest';
  }
  return cursor === undefined || cursor === '' || decodeCursor(cursor) !== undefined
    ? undefined
    : 'invalid_cursor';
}

/**
 * One page of the messages between `oldest` and `latest` (both excluded unless `inclusive`), in the order in which they
 * are given. The cursor is the last message's `ts` in base64, as opaque as Slack's.
 */
export function takePage(ordered: readonly SlackMessage[], asked: HistoryArguments): HistoryPage {
  const after = asked.cursor === undefined ? undefined : decodeCursor(asked.cursor);
  const start = after === undefined ? 0 : ordered.findIndex(({ ts }) => ts === after) + 1;
  const matching = ordered.slice(start).filter(({ ts }) => isWithin(ts, asked));
  const messages = matching.slice(0, asked.limit);
  const hasMore = matching.length > messages.length;
  const last = messages.at(-1);
  return { messages, hasMore, nextCursor: hasMore && last !== undefined ? encodeCursor(last.ts) : '' };
}

function isWithin(ts: string, { oldest, latest, inclusive }: HistoryArguments): boolean {
  const slack = inclusive ? 0 : 1;
  const afterOldest = oldest === undefined || oldest === '' || compareTs(ts, oldest) >= slack;
  const beforeLatest =
    latest === undefined || latest === '' || latest === 'now' || compareTs(latest, ts) >= slack;
  return afterOldest && beforeLatest;
}

/** -1, 0 or 1; digit by digit, because a ts has more digits than a double keeps apart. */
function compareTs(left: string, right: string): number {
  const [leftSeconds = '0', leftRest = ''] = left.split('.');
  const [rightSeconds = '0', rightRest = ''] = right.split('.');
  const seconds = Math.sign(Number(leftSeconds) - Number(rightSeconds));
  return seconds === 0
    ? Math.sign(Number(leftRest.padEnd(6, '0')) - Number(rightRest.padEnd(6, '0')))
    : seconds;
}

const cursorStart = 'after:';

function encodeCursor(ts: string): string {
  return Buffer.from(cursorStart + ts).toString('base64');
}

function decodeCursor(cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64').toString();
  return text.startsWith(cursorStart) ? text.slice(cursorStart.length) : undefined;
}
