import { z } from 'zod';

import { checkSlackBlocks } from './check-slack-blocks.ts';
import type { PostMessageArguments } from './read-slack-arguments.ts';
import { resolveChannel, type SlackChannel } from './slack-channels.ts';
import {
  slackMetadataSchema,
  slackObjectSchema,
  type SlackMessage,
  type SlackRefusal,
} from './slack-message.ts';

/** Slack cuts a longer text and warns; a sender that may lose text silently is better refused here. */
const maxTextLength = 40_000;

/** Checks the arguments of `chat.postMessage`: the message to keep, or Slack's refusal. */
export function readSlackMessage(
  given: PostMessageArguments,
  channels: readonly SlackChannel[] | undefined,
  ts: () => string,
): SlackMessage | SlackRefusal {
  const channelAsked = given.channel ?? '';
  const channel = resolveChannel(channelAsked, channels);
  if (channel === undefined) return { error: 'channel_not_found' };
  const text = given.text ?? '';
  if (text.length > maxTextLength) return { error: 'msg_too_long' };
  const blocks = given.blocks === undefined ? undefined : checkSlackBlocks(given.blocks);
  if (blocks !== undefined && 'error' in blocks) return blocks;
  const attachments = z.array(slackObjectSchema).optional().safeParse(given.attachments);
  if (!attachments.success) return { error: 'invalid_attachments' };
  if (text.trim() === '' && !blocks?.length && !attachments.data?.length) return { error: 'no_text' };
  const metadata = slackMetadataSchema.optional().safeParse(given.metadata);
  if (!metadata.success) return { error: 'invalid_metadata_format' };
  return {
    channel,
    channelAsked,
    ts: ts(),
    ...(given.thread_ts === undefined ? {} : { threadTs: given.thread_ts }),
    text,
    ...(blocks === undefined ? {} : { blocks }),
    ...(attachments.data === undefined ? {} : { attachments: attachments.data }),
    ...(metadata.data === undefined ? {} : { metadata: metadata.data }),
  };
}
