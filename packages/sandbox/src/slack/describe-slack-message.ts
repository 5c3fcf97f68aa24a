import { createHash } from 'node:crypto';

import { describeFile } from './describe-slack-file.ts';
import { isReply, listReplies } from './find-slack-message.ts';
import { teamId } from './slack-bots.ts';
import type { SlackMessage, SlackObject } from './slack-message.ts';
import type { SlackWorld } from './slack-world.ts';

/** A message as Slack answers it: https://docs.slack.dev/reference/events/message */
export function describeMessage(world: SlackWorld, message: SlackMessage, withMetadata: boolean): object {
  const userId = `U${message.botId.slice(1)}`;
  return {
    type: 'message',
    ...describeSubtype(message),
    user: userId,
    bot_id: message.botId,
    app_id: `A${message.botId.slice(1)}`,
    team: teamId,
    ts: message.ts,
    text: message.text,
    ...(message.blocks === undefined ? {} : { blocks: nameBlocks(message, message.blocks) }),
    ...(message.attachments === undefined ? {} : { attachments: message.attachments }),
    ...(message.files === undefined ? {} : { files: message.files.map((file) => describeFile(world, file)) }),
    ...(message.editedTs === undefined ? {} : { edited: { user: message.botId, ts: message.editedTs } }),
    ...(withMetadata && message.metadata !== undefined ? { metadata: message.metadata } : {}),
    ...describeThread(world, message),
  };
}

function describeSubtype(message: SlackMessage): object {
  return message.isBroadcast === true ? { subtype: 'thread_broadcast' } : {};
}

/** A parent counts its replies, and a reply names its parent. */
function describeThread(world: SlackWorld, message: SlackMessage): object {
  if (isReply(message)) return { thread_ts: message.threadTs };
  const replies = listReplies(world, message);
  const last = replies.at(-1);
  if (last === undefined) return message.threadTs === undefined ? {} : { thread_ts: message.threadTs };
  const users = [...new Set(replies.map(({ botId }) => `U${botId.slice(1)}`))];
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

/** Slack names a block whose sender did not. */
function nameBlocks({ ts }: SlackMessage, blocks: readonly SlackObject[]): readonly SlackObject[] {
  return blocks.map((block, index) => ({
    block_id: createHash('sha256')
      .update(`${ts}/${String(index)}`)
      .digest('base64url')
      .slice(0, 5),
    ...block,
  }));
}
