import { type LooseObject } from '@aftermeet/pages';
import { z } from 'zod';

import { describeMessage, findMessage, isReply, listReplies } from './messages.ts';
import type { SlackCall, SlackChannel, SlackMessage, SlackMethod, SlackRefusal } from './state.ts';

type Channels = readonly SlackChannel[] | undefined;

const channelSchema = z.object({ channel: z.string() });

/** https://docs.slack.dev/reference/methods/conversations.info */
export const getConversation: SlackMethod = {
  definition: 'ConversationsInfoArguments',
  scope: (args, channels) => scopeFor('read', args['channel'], channels),
  handle({ state }, args) {
    const id = findChannel(channelSchema.parse(args).channel, state.channels);
    if (id === undefined) return { error: 'channel_not_found' };
    const channel = state.channels?.find((known) => known.id === id) ?? { id, name: id.toLowerCase() };
    return channel.isPrivate === true && channel.isMember === false
      ? { error: 'channel_not_found' }
      : { channel: describeChannel(channel) };
  },
};

const listSchema = z.object({
  exclude_archived: z.boolean().default(false),
  types: z.string().default('public_channel'),
  limit: z.number().int().min(1).max(999).catch(100),
  cursor: z.string().default(''),
});

/** https://docs.slack.dev/reference/methods/conversations.list; the cursor holds the id of the last channel. */
export const listConversations: SlackMethod = {
  definition: 'ConversationsListArguments',
  // Called before the arguments are read.
  scope: ({ types }) =>
    typeof types === 'string' && types.includes('private_channel') ? 'groups:read' : 'channels:read',
  handle({ state }, args) {
    const { exclude_archived: leavesOutArchived, types, limit, cursor } = listSchema.parse(args);
    const kinds = types.split(',').map((type) => type.trim());
    const all = (state.channels ?? []).filter(
      ({ isArchived, isPrivate = false, isMember }) =>
        kinds.includes(isPrivate ? 'private_channel' : 'public_channel') &&
        !(leavesOutArchived && isArchived === true) &&
        !(isPrivate && isMember === false),
    );
    const page = takePage(all, cursor, limit, ({ id }) => id);
    if ('error' in page) return page;
    const { items, ...rest } = page;
    return { channels: items.map((channel) => describeChannel(channel)), ...rest };
  },
};

/** https://docs.slack.dev/reference/objects/conversation-object */
function describeChannel(channel: SlackChannel): object {
  if (channel.id.startsWith('D')) {
    return { id: channel.id, is_im: true, is_channel: false, user: `U${channel.id.slice(1)}` };
  }
  return {
    id: channel.id,
    name: channel.name,
    is_channel: channel.isPrivate !== true,
    is_group: channel.isPrivate === true,
    is_im: false,
    is_private: channel.isPrivate ?? false,
    is_archived: channel.isArchived ?? false,
    is_member: channel.isMember ?? true,
  };
}

const openSchema = z.object({ users: z.string().default('') });

/** https://docs.slack.dev/reference/methods/conversations.open, for the direct message with one person. */
export const openConversation: SlackMethod = {
  definition: 'ConversationsOpenArguments',
  scope: 'im:write',
  handle({ state }, args) {
    const [user, ...others] = openSchema
      .parse(args)
      .users.split(',')
      .filter((id) => id !== '');
    if (user === undefined) return { error: 'users_list_not_supplied' };
    if (others.length > 0) {
      const details = ['the emulator opens a conversation with one person only'];
      return { error: 'not_enough_users', details };
    }
    const isKnown = state.users.some(({ id }) => id === user);
    return isKnown ? { channel: { id: directMessageOf(user) } } : { error: 'user_not_found' };
  },
};

/** https://docs.slack.dev/reference/methods/conversations.history: newest first, without replies. */
export const getHistory: SlackMethod = {
  definition: 'ConversationsHistoryArguments',
  scope: (args, channels) => scopeFor('history', args['channel'], channels),
  handle(call, args) {
    const channel = findReadable(call, args);
    if (typeof channel === 'object') return channel;
    const messages = call.state.messages
      .list()
      .filter((message) => message.channel === channel && !isReply(message))
      .toReversed();
    const page = describePage(call, args, messages);
    return 'error' in page ? page : { ...page, pin_count: 0 };
  },
};

const repliesSchema = z.object({ ts: z.string() });

/** https://docs.slack.dev/reference/methods/conversations.replies: the parent, then its replies, oldest first. */
export const getReplies: SlackMethod = {
  definition: 'ConversationsRepliesArguments',
  scope: (args, channels) => scopeFor('history', args['channel'], channels),
  handle(call, args) {
    const channel = findReadable(call, args);
    if (typeof channel === 'object') return channel;
    const { state } = call;
    const found = findMessage(state, channel, repliesSchema.parse(args).ts);
    const parent = found?.threadTs === undefined ? found : findMessage(state, channel, found.threadTs);
    if (parent === undefined) return { error: 'thread_not_found' };
    return describePage(call, args, [parent, ...listReplies(state, parent)]);
  },
};

function findReadable({ state }: SlackCall, args: LooseObject): string | SlackRefusal {
  const id = findChannel(channelSchema.parse(args).channel, state.channels);
  if (id === undefined) return { error: 'channel_not_found' };
  return refuseNonMember(state.channels?.find((known) => known.id === id)) ?? id;
}

const pageSchema = z.object({
  oldest: z.string().optional(),
  latest: z.string().optional(),
  inclusive: z.boolean().default(false),
  include_all_metadata: z.boolean().default(false),
  limit: z.number().int().min(1).max(999).catch(100),
  cursor: z.string().default(''),
});

type PageArguments = z.output<typeof pageSchema>;

/**
 * One page of the messages between `oldest` and `latest` (both excluded unless `inclusive`), in the given order. The
 * cursor holds the `ts` of the last message.
 */
function describePage(
  { state }: SlackCall,
  args: LooseObject,
  ordered: readonly SlackMessage[],
): object | SlackRefusal {
  const asked = pageSchema.parse(args);
  const { oldest = '', latest = '', cursor } = asked;
  if (oldest !== '' && !tsPattern.test(oldest)) return { error: 'invalid_ts_oldest' };
  if (latest !== '' && latest !== 'now' && !tsPattern.test(latest)) return { error: 'invalid_ts_latest' };
  const matching = ordered.filter(({ ts }) => isWithin(ts, asked));
  const page = takePage(matching, cursor, asked.limit, ({ ts }) => ts);
  if ('error' in page) return page;
  const { items, ...rest } = page;
  return {
    messages: items.map((message) => describeMessage(state, message, asked.include_all_metadata)),
    has_more: rest.response_metadata.next_cursor !== '',
    ...rest,
  };
}

const tsPattern = /^\d{1,12}(\.\d{1,6})?$/;

function isWithin(ts: string, { oldest = '', latest = '', inclusive }: PageArguments): boolean {
  const least = inclusive ? 0 : 1;
  const isAfterOldest = oldest === '' || compareTs(ts, oldest) >= least;
  return isAfterOldest && (latest === '' || latest === 'now' || compareTs(latest, ts) >= least);
}

/** -1, 0 or 1; compared in two parts, because a ts has more digits than a double keeps apart. */
function compareTs(left: string, right: string): number {
  const [leftSeconds = '0', leftRest = ''] = left.split('.');
  const [rightSeconds = '0', rightRest = ''] = right.split('.');
  const seconds = Math.sign(Number(leftSeconds) - Number(rightSeconds));
  return seconds === 0
    ? Math.sign(Number(leftRest.padEnd(6, '0')) - Number(rightRest.padEnd(6, '0')))
    : seconds;
}

const cursorPrefix = 'after:';

interface TakenPage<Item> {
  readonly items: readonly Item[];
  readonly response_metadata: { readonly next_cursor: string };
}

/** A page of a list, and the cursor of the next one, which holds the id of the last item. */
export function takePage<Item>(
  all: readonly Item[],
  cursor: string,
  limit: number,
  idOf: (item: Item) => string,
): SlackRefusal | TakenPage<Item> {
  const after = Buffer.from(cursor, 'base64').toString();
  if (cursor !== '' && !after.startsWith(cursorPrefix)) return { error: 'invalid_cursor' };
  const last = all.findIndex((item) => cursorPrefix + idOf(item) === after);
  const rest = all.slice(last + 1);
  const items = rest.slice(0, limit);
  const next = rest.length > items.length ? items.at(-1) : undefined;
  const nextCursor = next === undefined ? '' : Buffer.from(cursorPrefix + idOf(next)).toString('base64');
  return { items, response_metadata: { next_cursor: nextCursor } };
}

const idPattern = /^[CDG][A-Z0-9]+$/;
const userPattern = /^[UW][A-Z0-9]+$/;

/**
 * The id of a channel as `chat.postMessage` finds it: by id, or by a user's id, which means the direct message with that
 * user. Without a list every channel exists.
 */
export function resolveChannel(asked: string, channels: Channels): string | undefined {
  return userPattern.test(asked) ? directMessageOf(asked) : findChannel(asked, channels);
}

/** The id of a channel as the other methods find it: by id only. */
export function findChannel(asked: string, channels: Channels): string | undefined {
  const exists =
    channels === undefined || asked.startsWith('D')
      ? idPattern.test(asked)
      : channels.some(({ id }) => id === asked);
  return exists ? asked : undefined;
}

function directMessageOf(userId: string): string {
  return `D${userId.slice(1)}`;
}

/** Why an app cannot write to a channel; undefined if it can. */
export function refuseWriting(id: string, channels: Channels): SlackRefusal | undefined {
  const channel = channels?.find((known) => known.id === id);
  return channel?.isArchived === true ? { error: 'is_archived' } : refuseNonMember(channel);
}

/** A private channel that the app was not invited to does not exist for it. */
function refuseNonMember(channel: SlackChannel | undefined): SlackRefusal | undefined {
  if (channel?.isMember !== false) return undefined;
  return { error: channel.isPrivate === true ? 'channel_not_found' : 'not_in_channel' };
}

/** The scope that a method needs for a kind of channel: `im:history` for the history of a direct message. */
function scopeFor(right: 'history' | 'read', asked: unknown, channels: Channels): string {
  const id = typeof asked === 'string' ? asked : '';
  if (id.startsWith('D')) return `im:${right}`;
  const isPrivate = id.startsWith('G') || channels?.find((known) => known.id === id)?.isPrivate === true;
  return `${isPrivate ? 'groups' : 'channels'}:${right}`;
}
