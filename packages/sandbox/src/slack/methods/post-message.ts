import { z } from 'zod';

import { describeMessage } from '../describe-slack-message.ts';
import { findSlackMessage, isReply } from '../find-slack-message.ts';
import { describeWarnings, isEmptyMessage, readMessageContent } from '../read-message-content.ts';
import { refuseWriting, resolveChannel } from '../slack-channels.ts';
import type { SlackObject } from '../slack-message.ts';
import type { SlackRefusal } from '../slack-refusal.ts';
import type { SlackMethod, SlackWorld } from '../slack-world.ts';

const givenSchema = z.object({
  channel: z.string(),
  thread_ts: z.string().optional(),
  reply_broadcast: z.boolean().optional(),
});

/** Kept for a person to look at; they change nothing here. */
const wishNames = [
  'unfurl_links',
  'unfurl_media',
  'link_names',
  'parse',
  'mrkdwn',
  'username',
  'icon_emoji',
  'icon_url',
];

/** https://docs.slack.dev/reference/methods/chat.postMessage. Sent twice, it is posted twice: Slack has no key against that. */
export const postMessage: SlackMethod = {
  definition: 'ChatPostMessageArguments',
  scope: 'chat:write',
  play({ world, schema, bot }, given) {
    const asked = givenSchema.parse(given);
    const channel = resolveChannel(asked.channel, world.channels);
    if (channel === undefined) return { error: 'channel_not_found' };
    const refusal = refuseWriting(channel, world.channels) ?? refuseThread(world, channel, asked.thread_ts);
    if (refusal !== undefined) return refusal;
    const content = readMessageContent(given, schema, world.knobs.read());
    if ('error' in content) return content;
    if (isEmptyMessage(content)) return { error: 'no_text' };
    const { isTruncated, text = '', ...parts } = content;
    const message = {
      channel,
      channelAsked: asked.channel,
      ts: world.makeTs(),
      botId: bot.botId,
      text,
      ...parts,
      ...(asked.thread_ts === undefined ? {} : { threadTs: asked.thread_ts }),
      ...(asked.thread_ts !== undefined && asked.reply_broadcast === true ? { isBroadcast: true } : {}),
      ...pickWishes(given),
    };
    world.log.add(message);
    return {
      channel,
      ts: message.ts,
      message: describeMessage(world, message, true),
      ...describeWarnings({ isTruncated }),
    };
  },
};

function pickWishes(given: SlackObject): { readonly wishes?: SlackObject } {
  const wishes = Object.fromEntries(Object.entries(given).filter(([name]) => wishNames.includes(name)));
  return Object.keys(wishes).length === 0 ? {} : { wishes };
}

/** Replies go under a message of the channel, never under a reply: Slack's page says to use the parent's `ts` instead. */
export function refuseThread(
  world: SlackWorld,
  channel: string,
  threadTs: string | undefined,
): SlackRefusal | undefined {
  if (threadTs === undefined) return undefined;
  if (!/^\d{1,12}\.\d{1,6}$/.test(threadTs)) {
    return { error: 'invalid_thread_ts', details: [`${threadTs} is not a valid thread_ts`] };
  }
  const parent = findSlackMessage(world, channel, threadTs);
  if (parent === undefined) return { error: 'thread_not_found' };
  return isReply(parent) ? { error: 'cannot_reply_to_message' } : undefined;
}
