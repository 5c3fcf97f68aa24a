import type { HistoryArguments } from './read-slack-arguments.ts';
import type { SlackMessage } from './slack-message.ts';

export interface HistoryPage {
  /** Newest first, as Slack answers. */
  readonly messages: readonly SlackMessage[];
  readonly hasMore: boolean;
  readonly nextCursor: string;
}

/**
 * One page of a channel: the messages between `oldest` and `latest` (both excluded unless `inclusive`),
 * without the replies of threads. The cursor is the last message's `ts` in base64, as opaque as Slack's.
 */
export function listSlackHistory(
  all: readonly SlackMessage[],
  channel: string,
  asked: HistoryArguments,
): HistoryPage {
  const before = asked.cursor === undefined ? undefined : decodeCursor(asked.cursor);
  const matching = all
    .filter((message) => message.channel === channel && (message.threadTs ?? message.ts) === message.ts)
    .filter(({ ts }) => isWithin(ts, asked) && (before === undefined || compareTs(ts, before) < 0))
    .toReversed();
  const messages = matching.slice(0, asked.limit);
  const hasMore = matching.length > messages.length;
  const last = messages.at(-1);
  return { messages, hasMore, nextCursor: hasMore && last !== undefined ? encodeCursor(last.ts) : '' };
}

function isWithin(ts: string, { oldest, latest, inclusive }: HistoryArguments): boolean {
  const slack = inclusive ? 0 : 1;
  const afterOldest = oldest === undefined || compareTs(ts, oldest) >= slack;
  const beforeLatest = latest === undefined || compareTs(latest, ts) >= slack;
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

function encodeCursor(ts: string): string {
  return Buffer.from(`before:${ts}`).toString('base64');
}

function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64').toString().replace('before:', '');
}
