import { z } from 'zod';

import { findSlackMessage, isReply } from '../find-slack-message.ts';
import { findChannelById } from '../slack-channels.ts';
import type { SlackMethod } from '../slack-world.ts';

const givenSchema = z.object({ channel: z.string(), message_ts: z.string() });

/** https://docs.slack.dev/reference/methods/chat.getPermalink. The address is of Slack's form and leads nowhere. */
export const getPermalink: SlackMethod = {
  definition: 'ChatGetPermalinkArguments',
  play({ world }, given) {
    const asked = givenSchema.parse(given);
    const channel = findChannelById(asked.channel, world.channels);
    if (channel === undefined) return { error: 'channel_not_found' };
    const message = findSlackMessage(world, channel, asked.message_ts);
    if (message === undefined) return { error: 'message_not_found' };
    const place = `${channel}/p${message.ts.replace('.', '')}`;
    const thread = isReply(message) ? `?thread_ts=${message.threadTs ?? ''}&cid=${channel}` : '';
    return { channel, permalink: `https://aftermeet-sandbox.slack.com/archives/${place}${thread}` };
  },
};
