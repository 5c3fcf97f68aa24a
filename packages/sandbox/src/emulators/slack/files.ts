import type { Express, Request, Response as Answer } from 'express';
import { z } from 'zod';

import { findChannel, refuseWriting } from './conversations.ts';
import { describeFile, refuseThread } from './messages.ts';
import type { SlackCall, SlackMethod, SlackRefusal, SlackState } from './state.ts';

const announceSchema = z.object({ filename: z.string(), length: z.number() });

/** https://docs.slack.dev/reference/methods/files.getUploadURLExternal: the first of three steps. */
export const getUploadUrl: SlackMethod = {
  definition: 'FilesGetUploadURLExternalArguments',
  scope: 'files:write',
  handle({ state, origin }, args) {
    const { filename, length } = announceSchema.parse(args);
    if (filename === '') return { error: 'invalid_arguments', details: ['missing required field: filename'] };
    if (!Number.isInteger(length) || length <= 0) {
      return { error: 'invalid_arguments', details: ['length must be greater than 0'] };
    }
    const id = state.makeFileId();
    state.files.put({ id, name: filename, announcedBytes: length, content: undefined, shared: undefined });
    return { upload_url: `${origin}/upload/v1/${id}`, file_id: id };
  },
};

/** Slack takes up to 1 GB; here files are in memory. */
const maxBytes = 50 * 1024 * 1024;

/**
 * The second step: the address from `files.getUploadURLExternal` takes the bytes as they are, or the first file of a
 * form. That the length must be as announced is assumed.
 */
export function mountUploads(app: Express, files: SlackState['files']): void {
  app.post('/upload/v1/:id', (request: Request<{ id: string }>, response, next) => {
    receiveUpload(files, request, response).catch(next);
  });
}

async function receiveUpload(
  files: SlackState['files'],
  request: Request<{ id: string }>,
  response: Answer,
): Promise<void> {
  const answer = (status: number, text: string): void => {
    response.status(status).type('text/plain').send(text);
  };
  const file = files.find(request.params.id);
  const bytes = await readBytes(request);
  if (file === undefined) {
    answer(404, 'This upload address was not handed out.');
    return;
  }
  if (bytes === undefined) {
    answer(413, `The emulator takes files of up to ${String(maxBytes)} bytes.`);
    return;
  }
  const content = await extractFile(bytes, request.headers['content-type'] ?? '');
  if (content?.length !== file.announcedBytes) {
    const came = content === undefined ? 'a form without a file' : `${String(content.length)} bytes`;
    answer(400, `${came} came, and ${String(file.announcedBytes)} bytes were announced.`);
    return;
  }
  file.content = content;
  answer(200, `OK - ${String(content.length)}`);
}

/** All bytes; undefined when there are too many, which are read to their end all the same. */
async function readBytes(request: Request<{ id: string }>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
  }
  return length <= maxBytes ? Buffer.concat(chunks) : undefined;
}

/** The first file of a form, or the bytes themselves; undefined for a form that has no file or cannot be parsed. */
async function extractFile(bytes: Buffer, contentType: string): Promise<Buffer | undefined> {
  if (!contentType.startsWith('multipart/form-data')) return bytes;
  try {
    const form = await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData();
    const file = [...form.values()].find((value) => typeof value !== 'string');
    return file === undefined ? undefined : Buffer.from(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}

const completeSchema = z.object({
  files: z.array(z.object({ id: z.string(), title: z.string().optional() })),
  channel_id: z.string().optional(),
  thread_ts: z.string().optional(),
  initial_comment: z.string().optional(),
});

/** https://docs.slack.dev/reference/methods/files.delete: its message goes with it. */
export const deleteFile: SlackMethod = {
  definition: 'FilesDeleteArguments',
  scope: 'files:write',
  handle({ state }, args) {
    const id = z.object({ file: z.string() }).parse(args).file;
    if (state.files.find(id) === undefined) return { error: 'file_not_found' };
    state.files.remove(id);
    const message = state.messages.list().find(({ files = [] }) => files.some((file) => file.id === id));
    if (message !== undefined) state.messages.remove(message);
    return {};
  },
};

/** https://docs.slack.dev/reference/methods/files.completeUploadExternal: the last step, which posts the message. */
export const completeUpload: SlackMethod = {
  definition: 'FilesCompleteUploadExternalArguments',
  scope: 'files:write',
  handle(call, args) {
    const { state, bot } = call;
    const asked = completeSchema.parse(args);
    const ready = asked.files.flatMap(({ id, title }) => {
      const stored = state.files.find(id);
      const isReady = stored?.content !== undefined && stored.shared === undefined;
      return isReady ? [{ stored, title: title ?? stored.name }] : [];
    });
    if (ready.length < asked.files.length) return { error: 'file_not_found' };
    const { channel_id: channelAsked, thread_ts: threadTs } = asked;
    const channel = channelAsked === undefined ? undefined : findTarget(call, channelAsked, threadTs);
    if (typeof channel === 'object') return channel;
    const ts = channel === undefined ? undefined : state.makeTs();
    const files = ready.map(({ stored, title }) => {
      stored.shared = { title, channel, ts };
      return { id: stored.id, name: stored.name, title, sizeBytes: stored.announcedBytes };
    });
    if (channel !== undefined && ts !== undefined) {
      const thread = threadTs === undefined ? {} : { threadTs };
      state.messages.add({
        channel,
        ts,
        botId: bot.botId,
        ...thread,
        text: asked.initial_comment ?? '',
        files,
      });
    }
    return { files: files.map((file) => describeFile(state, file)) };
  },
};

function findTarget(
  { state }: SlackCall,
  asked: string,
  threadTs: string | undefined,
): string | SlackRefusal {
  const channel = findChannel(asked, state.channels);
  if (channel === undefined) return { error: 'channel_not_found' };
  return refuseWriting(channel, state.channels) ?? refuseThread(state, channel, threadTs) ?? channel;
}
