import { createHash } from 'node:crypto';

import { type LooseObject } from '@aftermeet/pages';

import { teamId, type SlackFile, type SlackMessage, type SlackRefusal, type SlackState } from './state.ts';

export function findMessage(state: SlackState, channel: string, ts: string): SlackMessage | undefined {
  return state.messages.list().find((message) => message.channel === channel && message.ts === ts);
}

/** The replies to a message, oldest first. */
export function listReplies(state: SlackState, parent: SlackMessage): readonly SlackMessage[] {
  return state.messages
    .list()
    .filter(
      (message) =>
        message.channel === parent.channel && message.threadTs === parent.ts && message.ts !== parent.ts,
    );
}

export function isReply({ ts, threadTs }: SlackMessage): boolean {
  return threadTs !== undefined && threadTs !== ts;
}

/** Replies go to a message of the channel, never to a reply: Slack's page says to use the parent's `ts` instead. */
export function refuseThread(
  state: SlackState,
  channel: string,
  threadTs: string | undefined,
): SlackRefusal | undefined {
  if (threadTs === undefined) return undefined;
  if (!/^\d{1,12}\.\d{1,6}$/.test(threadTs)) {
    return { error: 'invalid_thread_ts', details: [`${threadTs} is not a valid thread_ts`] };
  }
  const parent = findMessage(state, channel, threadTs);
  if (parent === undefined) return { error: 'thread_not_found' };
  return isReply(parent) ? { error: 'cannot_reply_to_message' } : undefined;
}

/** A message in the shape of answers: https://docs.slack.dev/reference/events/message */
export function describeMessage(state: SlackState, message: SlackMessage, withMetadata: boolean): object {
  return {
    type: 'message',
    user: userOf(message),
    bot_id: message.botId,
    app_id: `A${message.botId.slice(1)}`,
    team: teamId,
    ts: message.ts,
    text: message.text,
    ...(message.blocks === undefined ? {} : { blocks: addBlockIds(message, message.blocks) }),
    ...(message.files === undefined ? {} : { files: message.files.map((file) => describeFile(state, file)) }),
    ...(message.editedTs === undefined ? {} : { edited: { user: message.botId, ts: message.editedTs } }),
    ...(withMetadata && message.metadata !== undefined ? { metadata: message.metadata } : {}),
    ...describeThread(state, message),
  };
}

function userOf({ botId }: SlackMessage): string {
  return `U${botId.slice(1)}`;
}

/** A parent counts its replies, and a reply names its parent. */
function describeThread(state: SlackState, message: SlackMessage): object {
  if (isReply(message)) return { thread_ts: message.threadTs };
  const replies = listReplies(state, message);
  const last = replies.at(-1);
  if (last === undefined) return message.threadTs === undefined ? {} : { thread_ts: message.threadTs };
  const users = [...new Set(replies.map(userOf))];
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    latest_reply: last.ts,
    reply_users: users,
    is_locked: false,
    subscribed: false,
  };
}

/** Slack gives an id to each block that has none. */
function addBlockIds({ ts }: SlackMessage, blocks: readonly LooseObject[]): readonly LooseObject[] {
  return blocks.map((block, index) => ({
    block_id: createHash('sha256')
      .update(`${ts}/${String(index)}`)
      .digest('base64url')
      .slice(0, 5),
    ...block,
  }));
}

/** A file in the shape of answers: https://docs.slack.dev/reference/objects/file-object */
export function describeFile(state: SlackState, file: SlackFile): object {
  const stored = state.files.find(file.id);
  const { channel, ts } = stored?.shared ?? {};
  const share = ts === undefined || channel === undefined ? {} : { [channel]: [{ ts, team_id: teamId }] };
  const listIn = (letter: string): readonly string[] =>
    channel?.startsWith(letter) === true ? [channel] : [];
  const isPublic = channel?.startsWith('C') === true;
  const seconds = Math.floor(state.now() / 1000);
  const path = `${file.id}/${encodeURIComponent(file.name)}`;
  return {
    id: file.id,
    created: seconds,
    timestamp: seconds,
    name: file.name,
    title: file.title,
    filetype: /\.([A-Za-z0-9]{1,10})$/.exec(file.name)?.[1]?.toLowerCase() ?? 'binary',
    size: file.sizeBytes,
    mode: 'hosted',
    is_external: false,
    is_public: isPublic,
    channels: listIn('C'),
    groups: listIn('G'),
    ims: listIn('D'),
    shares: isPublic ? { public: share } : { private: share },
    url_private: `https://files.slack.com/files-pri/${teamId}-${path}`,
    permalink: `https://aftermeet-sandbox.slack.com/files/${path}`,
  };
}
