import { z } from 'zod';

import { describeMessage } from '../describe-slack-message.ts';
import { findSlackMessage, isReply, listReplies } from '../find-slack-message.ts';
import { historySchema, refuseRange, takePage } from '../list-slack-history.ts';
import { findChannelById, refuseReading, scopeFor } from '../slack-channels.ts';
import type { SlackMessage, SlackObject } from '../slack-message.ts';
import type { SlackRefusal } from '../slack-refusal.ts';
import type { SlackCall, SlackMethod } from '../slack-world.ts';

const givenSchema = z.object({ channel: z.string() });
const repliesSchema = z.object({ ts: z.string() });

/** https://docs.slack.dev/reference/methods/conversations.history: newest first, replies only where they were broadcast. */
export const readHistory: SlackMethod = {
  definition: 'ConversationsHistoryArguments',
  scope: ({ channels }, given) => scopeFor('history', given['channel'], channels),
  play(call, given) {
    const channel = findReadable(call, given);
    if (typeof channel === 'object') return channel;
    const messages = call.world.log
      .list()
      .filter((message) => message.channel === channel && (!isReply(message) || message.isBroadcast === true))
      .toReversed();
    return describePage(call, given, messages, { pin_count: 0 });
  },
};

/** https://docs.slack.dev/reference/methods/conversations.replies: the parent, then its replies, oldest first. */
export const readReplies: SlackMethod = {
  definition: 'ConversationsRepliesArguments',
  scope: ({ channels }, given) => scopeFor('history', given['channel'], channels),
  play(call, given) {
    const channel = findReadable(call, given);
    if (typeof channel === 'object') return channel;
    const { ts } = repliesSchema.parse(given);
    const found = findSlackMessage(call.world, channel, ts);
    const parent =
      found?.threadTs === undefined ? found : findSlackMessage(call.world, channel, found.threadTs);
    if (parent === undefined) return { error: 'thread_not_found' };
    return describePage(call, given, [parent, ...listReplies(call.world, parent)], {});
  },
};

function findReadable({ world }: SlackCall, given: SlackObject): string | SlackRefusal {
  const { channel: asked } = givenSchema.parse(given);
  const channel = findChannelById(asked, world.channels);
  if (channel === undefined) return { error: 'channel_not_found' };
  return refuseReading(channel, world.channels) ?? channel;
}

function describePage(
  { world }: SlackCall,
  given: SlackObject,
  ordered: readonly SlackMessage[],
  facts: object,
): object | SlackRefusal {
  const asked = historySchema.parse(given);
  const error = refuseRange(asked);
  if (error !== undefined) return { error };
  const page = takePage(ordered, asked);
  return {
    messages: page.messages.map((message) => describeMessage(world, message, asked.include_all_metadata)),
    has_more: page.hasMore,
    ...facts,
    response_metadata: { next_cursor: page.nextCursor },
  };
}
