// A request as n8n's server hands it to a trigger node: with its raw bytes. Of the body that n8n makes of them ours reads nothing.
import { createGunzip } from 'node:zlib';

/** Adds to a request of node:http what n8n adds. */
export async function readRequest(request, { parseIncomingMessage }) {
  parseIncomingMessage(request);
  request.readRawBody = async () => {
    request.rawBody ??= await readAll(
      request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request,
    );
  };
  await request.readRawBody();
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
