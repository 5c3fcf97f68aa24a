import type { IncomingMessage } from 'node:http';

import type { Express, Request, Response as Answer, Router } from 'express';

import type { SlackFiles } from './slack-files.ts';

/** Slack takes up to 1 GB; here the files are in memory. */
const maxBytes = 50 * 1024 * 1024;

/**
 * The address that `files.getUploadURLExternal` hands out: takes the bytes as they are, or the first file of a form.
 * That the length must be the announced one is assumed.
 */
export function mountSlackUploads(app: Express, files: SlackFiles): void {
  app.post('/upload/v1/:id', (request: Request<{ id: string }>, response, next) => {
    receive(files, request, response).catch(next);
  });
}

/** `/_sandbox/files/:id`: the bytes that arrived. */
export function addSlackFileRoute(router: Router, files: SlackFiles): void {
  router.get('/files/:id', (request, response) => {
    const file = files.find(request.params.id);
    if (file?.content === undefined)
      response.status(404).json({ code: 'NOT_FOUND', message: 'No file has this id.' });
    else {
      response.set({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
      response.attachment(file.name).type('application/octet-stream').send(file.content);
    }
  });
}

async function receive(files: SlackFiles, request: Request<{ id: string }>, response: Answer): Promise<void> {
  const refuse = (status: number, message: string): void => {
    response.status(status).type('text/plain').send(message);
  };
  const file = files.find(request.params.id);
  const bytes = await readBytes(request);
  if (file === undefined) {
    refuse(404, 'Nobody asked for this upload address.');
    return;
  }
  if (bytes === undefined) {
    refuse(413, `The stand-in takes files of up to ${String(maxBytes)} bytes.`);
    return;
  }
  const content = await unwrap(bytes, request.headers['content-type'] ?? '');
  if (content?.length !== file.announcedBytes) {
    const came = content === undefined ? 'a form without a file' : `${String(content.length)} bytes`;
    refuse(400, `${came} came, and ${String(file.announcedBytes)} bytes were announced.`);
    return;
  }
  file.content = content;
  response.type('text/plain').send(`OK - ${String(content.length)}`);
}

/** Everything that comes; undefined when it is too much, which is read to its end all the same. */
async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
  }
  return length <= maxBytes ? Buffer.concat(chunks) : undefined;
}

/** The first file of a form, or the bytes themselves; undefined for a form that has none or cannot be read. */
async function unwrap(bytes: Buffer, contentType: string): Promise<Buffer | undefined> {
  if (!contentType.startsWith('multipart/form-data')) return bytes;
  try {
    const form = await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData();
    const file = [...form.values()].find((value) => typeof value !== 'string');
    return file === undefined ? undefined : Buffer.from(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}
