import { z } from 'zod';

import { describeMessage } from '../describe-slack-message.ts';
import { findSlackMessage } from '../find-slack-message.ts';
import { describeWarnings, isEmptyMessage, readMessageContent } from '../read-message-content.ts';
import { findChannelById, refuseWriting } from '../slack-channels.ts';
import type { SlackMessage, SlackObject } from '../slack-message.ts';
import type { SlackRefusal } from '../slack-refusal.ts';
import type { SlackCall, SlackMethod } from '../slack-world.ts';

/** A new message takes ten times as many: https://docs.slack.dev/reference/methods/chat.update (`msg_too_long`) */
const mostTextBytes = 4000;

const givenSchema = z.object({
  text: z.string().optional(),
  channel: z.string(),
  ts: z.string(),
  metadata: z.unknown().optional(),
  reply_broadcast: z.boolean().optional(),
});

/**
 * https://docs.slack.dev/reference/methods/chat.update: what is not given stays, but a text without blocks takes the
 * place of the blocks, and an empty object takes the metadata away.
 */
export const updateMessage: SlackMethod = {
  definition: 'ChatUpdateArguments',
  scope: 'chat:write',
  play(call, given) {
    const { world, schema } = call;
    const asked = givenSchema.parse(given);
    const known = findOwnMessage(call, asked.channel, asked.ts, 'cant_update_message');
    if ('error' in known) return known;
    if (isTooLate(call, known)) return { error: 'edit_window_closed' };
    const content = readMessageContent(given, schema, world.knobs.read());
    if ('error' in content) return content;
    if (Buffer.byteLength(escapeText(asked.text ?? '')) > mostTextBytes) return { error: 'msg_too_long' };
    const { isTruncated, ...parts } = content;
    const next = {
      ...withoutParts(known, given, asked.metadata),
      ...parts,
      editedTs: world.makeTs(),
      ...(asked.reply_broadcast === true && known.threadTs !== undefined ? { isBroadcast: true } : {}),
    };
    if (isEmptyMessage(next)) return { error: 'no_text' };
    world.log.replace(known, next);
    const message = describeMessage(world, next, true);
    return {
      channel: next.channel,
      ts: next.ts,
      text: next.text,
      message,
      ...describeWarnings({ isTruncated }),
    };
  },
};

/** https://docs.slack.dev/reference/methods/chat.delete */
export const deleteMessage: SlackMethod = {
  definition: 'ChatDeleteArguments',
  scope: 'chat:write',
  play(call, given) {
    const { channel, ts } = givenSchema.parse(given);
    const known = findOwnMessage(call, channel, ts, 'cant_delete_message');
    if ('error' in known) return known;
    call.world.log.remove(known);
    return { channel, ts };
  },
};

/** A message of the app that calls; `foreign` is the refusal of anybody else's. */
function findOwnMessage(
  { world, bot }: SlackCall,
  asked: string,
  ts: string,
  foreign: string,
): SlackMessage | SlackRefusal {
  const channel = findChannelById(asked, world.channels);
  if (channel === undefined) return { error: 'channel_not_found' };
  const refusal = refuseWriting(channel, world.channels);
  if (refusal !== undefined) return refusal;
  const message = findSlackMessage(world, channel, ts);
  if (message === undefined) return { error: 'message_not_found' };
  return message.botId === bot.botId ? message : { error: foreign };
}

/** As Slack keeps it: what is neither an escape nor markup (`<!here>`, `<https://…>`) is escaped. */
function escapeText(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text.replaceAll(
    /<(?:[@#!]|[a-z]+:)[^<>]*>|&(?:amp|lt|gt);|[&<>]/g,
    (found) => escapes[found] ?? found,
  );
}

function isTooLate({ world }: SlackCall, { ts }: SlackMessage): boolean {
  const minutes = world.knobs.read().edit_window_minutes;
  return minutes !== null && world.now() > Number(ts) * 1000 + minutes * 60_000;
}

function withoutParts(known: SlackMessage, given: SlackObject, metadata: unknown): SlackMessage {
  const { blocks, metadata: knownMetadata, ...rest } = known;
  const keepsBlocks = given['text'] === undefined && given['markdown_text'] === undefined;
  return {
    ...rest,
    ...(keepsBlocks && blocks !== undefined ? { blocks } : {}),
    ...(metadata === undefined && knownMetadata !== undefined ? { metadata: knownMetadata } : {}),
  };
}
