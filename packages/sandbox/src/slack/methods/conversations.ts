import { z } from 'zod';

import { teamId } from '../slack-bots.ts';
import { directMessageOf, findChannelById, scopeFor, type SlackChannel } from '../slack-channels.ts';
import type { SlackMethod, SlackWorld } from '../slack-world.ts';

const channelSchema = z.object({ channel: z.string() });
const openSchema = z.object({
  channel: z.string().optional(),
  users: z.string().optional(),
  return_im: z.boolean().optional(),
});
const listSchema = z.object({
  types: z.string().default('public_channel'),
  exclude_archived: z.coerce.string().optional(),
});

/** https://docs.slack.dev/reference/methods/conversations.info */
export const readConversation: SlackMethod = {
  definition: 'ConversationsInfoArguments',
  scope: ({ channels }, given) => scopeFor('read', given['channel'], channels),
  play({ world }, given) {
    const channel = findConversation(world, channelSchema.parse(given).channel);
    return channel === undefined || (channel.isPrivate === true && channel.isMember === false)
      ? { error: 'channel_not_found' }
      : { channel: describeChannel(world, channel) };
  },
};

/** https://docs.slack.dev/reference/methods/conversations.join */
export const joinConversation: SlackMethod = {
  definition: 'ConversationsJoinArguments',
  scope: 'channels:join',
  play({ world }, given) {
    const channel = findConversation(world, channelSchema.parse(given).channel);
    if (channel === undefined || channel.isPrivate === true) return { error: 'channel_not_found' };
    if (channel.isArchived === true) return { error: 'is_archived' };
    // Who is a member is an option of the stand-in: joining is answered and changes nothing.
    return { channel: describeChannel(world, { ...channel, isMember: true }) };
  },
};

/** https://docs.slack.dev/reference/methods/conversations.open: the direct message with one person. */
export const openConversation: SlackMethod = {
  definition: 'ConversationsOpenArguments',
  scope: 'im:write',
  play({ world }, given) {
    const { channel, users, return_im: isWhole } = openSchema.parse(given);
    if (channel !== undefined) {
      return channel.startsWith('D') ? { channel: { id: channel } } : { error: 'channel_not_found' };
    }
    const [user, ...others] = (users ?? '').split(',').filter((id) => id !== '');
    if (user === undefined) return { error: 'users_list_not_supplied' };
    if (others.length > 0) return { error: 'not_enough_users', details: ['one person only is played here'] };
    if (!world.users.some(({ id }) => id === user)) return { error: 'user_not_found' };
    const id = directMessageOf(user);
    const isOpen = world.log.list().some((message) => message.channel === id);
    const state = isOpen ? { no_op: true, already_open: true } : {};
    return { ...state, channel: isWhole === true ? { id, is_im: true, user, is_org_shared: false } : { id } };
  },
};

/** https://docs.slack.dev/reference/methods/conversations.list: the channels of the options, or those that were posted to. */
export const listConversations: SlackMethod = {
  scope: 'channels:read',
  play({ world }, given) {
    const asked = listSchema.parse(given);
    const types = asked.types.split(',').map((type) => type.trim());
    const known = ['public_channel', 'private_channel', 'mpim', 'im'];
    if (!types.every((type) => known.includes(type))) return { error: 'invalid_types' };
    const wantsArchived = !['true', '1'].includes(asked.exclude_archived ?? '');
    const channels = listKnown(world)
      .filter((channel) => types.includes(channel.isPrivate === true ? 'private_channel' : 'public_channel'))
      .filter((channel) => wantsArchived || channel.isArchived !== true)
      .map((channel) => describeChannel(world, channel));
    return { channels, response_metadata: { next_cursor: '' } };
  },
};

function listKnown(world: SlackWorld): readonly SlackChannel[] {
  if (world.channels !== undefined) return world.channels;
  const posted = world.log.list().filter(({ channel }) => channel.startsWith('C'));
  const names = new Map(posted.map(({ channel, channelAsked }) => [channel, channelAsked.replace(/^#/, '')]));
  return [...names].map(([id, name]) => ({ id, name: name.toLowerCase() }));
}

function findConversation(world: SlackWorld, asked: string): SlackChannel | undefined {
  const id = findChannelById(asked, world.channels);
  if (id === undefined) return undefined;
  return listKnown(world).find((channel) => channel.id === id) ?? { id, name: id.toLowerCase() };
}

/** https://docs.slack.dev/reference/objects/conversation-object */
function describeChannel(world: SlackWorld, channel: SlackChannel): object {
  const isDirect = channel.id.startsWith('D');
  if (isDirect) return { id: channel.id, is_im: true, is_channel: false, user: `U${channel.id.slice(1)}` };
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.isPrivate !== true,
    is_group: channel.isPrivate === true,
    is_im: false,
    is_mpim: false,
    is_private: channel.isPrivate ?? false,
    is_archived: channel.isArchived ?? false,
    is_member: channel.isMember ?? true,
    is_general: false,
    is_shared: false,
    is_ext_shared: false,
    is_org_shared: false,
    context_team_id: teamId,
    num_members: world.users.length,
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
  };
}
