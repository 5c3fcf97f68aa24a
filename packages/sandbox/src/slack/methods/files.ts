import { z } from 'zod';

import { checkSlackBlocks } from '../blocks/check-slack-blocks.ts';
import { describeFile } from '../describe-slack-file.ts';
import { findChannelById, refuseWriting } from '../slack-channels.ts';
import type { HeldFile, SlackFile } from '../slack-files.ts';
import { slackObjectSchema, type SlackMessage, type SlackObject } from '../slack-message.ts';
import type { SlackRefusal } from '../slack-refusal.ts';
import type { SlackCall, SlackMethod } from '../slack-world.ts';
import { refuseThread } from './post-message.ts';

const announceSchema = z.object({
  filename: z.string(),
  length: z.number(),
  alt_text: z.string().optional(),
});
const completeSchema = z.object({
  files: z.array(z.object({ id: z.string(), title: z.string().optional() })),
  channel_id: z.string().optional(),
  thread_ts: z.string().optional(),
  initial_comment: z.string().optional(),
  blocks: z.unknown().optional(),
});
const infoSchema = z.object({ file: z.string() });

/** https://docs.slack.dev/reference/methods/files.getUploadURLExternal: the first of three steps. */
export const announceFile: SlackMethod = {
  definition: 'FilesGetUploadURLExternalArguments',
  scope: 'files:write',
  play({ world, origin }, given) {
    const { filename, length, alt_text: altText } = announceSchema.parse(given);
    if (!Number.isInteger(length) || length <= 0 || filename === '') {
      const details = [
        filename === '' ? 'missing required field: filename' : 'length must be greater than 0',
      ];
      return { error: 'invalid_arguments', details };
    }
    const file = world.files.announce(filename, length, altText);
    return { upload_url: `${origin}/upload/v1/${file.id}`, file_id: file.id };
  },
};

/** https://docs.slack.dev/reference/methods/files.completeUploadExternal: the last step, which posts the message. */
export const completeUpload: SlackMethod = {
  definition: 'FilesCompleteUploadExternalArguments',
  scope: 'files:write',
  play(call, given) {
    const asked = completeSchema.parse(given);
    const files = asked.files.map(({ id, title }) => ({ held: call.world.files.find(id), title }));
    const ready = files.flatMap(({ held, title }) => {
      const isReady = held?.content !== undefined && held.shared === undefined;
      return isReady ? [{ held, title: title ?? held.name }] : [];
    });
    if (ready.length < files.length) return { error: 'file_not_found' };
    const target =
      asked.channel_id === undefined ? undefined : findTarget(call, asked.channel_id, asked.thread_ts);
    if (typeof target === 'object') return target;
    const content = readComment(call, asked.initial_comment, asked.blocks);
    if ('error' in content) return content;
    const shown = ready.map(({ held, title }) => toFile(held, title));
    const ts = target === undefined ? undefined : call.world.makeTs();
    for (const { held, title } of ready) held.shared = { title, channel: target, ts };
    if (target !== undefined && ts !== undefined) {
      const thread = asked.thread_ts === undefined ? {} : { threadTs: asked.thread_ts };
      const place = { channel: target, channelAsked: asked.channel_id ?? target, ts, botId: call.bot.botId };
      call.world.log.add({ ...place, ...thread, ...content, files: shown });
    }
    return { files: shown.map((file) => describeFile(call.world, file)) };
  },
};

/** https://docs.slack.dev/reference/methods/files.info: also where a file was shared, which tells whether the last step was done. */
export const readFileInfo: SlackMethod = {
  definition: 'FilesInfoArguments',
  scope: 'files:read',
  play({ world }, given) {
    const held = world.files.find(infoSchema.parse(given).file);
    if (held?.content === undefined) return { error: 'file_not_found' };
    return { file: describeFile(world, toFile(held, held.shared?.title ?? held.name)), comments: [] };
  },
};

function toFile(held: HeldFile, title: string): SlackFile {
  return { id: held.id, name: held.name, title, sizeBytes: held.content?.length ?? 0 };
}

function findTarget(
  { world }: SlackCall,
  asked: string,
  threadTs: string | undefined,
): string | SlackRefusal {
  const channel = findChannelById(asked, world.channels);
  if (channel === undefined) return { error: 'channel_not_found' };
  return refuseWriting(channel, world.channels) ?? refuseThread(world, channel, threadTs) ?? channel;
}

/** A comment wins over blocks. */
function readComment(
  { schema }: SlackCall,
  comment: string | undefined,
  given: unknown,
): Pick<SlackMessage, 'text' | 'blocks'> | SlackRefusal {
  if (comment !== undefined || given === undefined) return { text: comment ?? '' };
  const blocks: SlackRefusal | readonly SlackObject[] = checkSlackBlocks(given, schema);
  return 'error' in blocks ? blocks : { text: '', blocks: z.array(slackObjectSchema).parse(blocks) };
}
