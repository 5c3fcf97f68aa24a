// A request as n8n's server hands it to a trigger node: its raw bytes, and its body by its type.
import { createGunzip, createInflate } from 'node:zlib';

/** Adds to a request of node:http what n8n adds. Throws what n8n answers with, as `status` and `message`. */
export async function readRequest(request, { parseIncomingMessage, workflow }) {
  parseIncomingMessage(request);
  const url = new URL(request.url, 'http://n8n');
  Object.assign(request, {
    params: {},
    query: Object.fromEntries(url.searchParams),
    originalUrl: request.url,
  });
  request.readRawBody = async () => {
    request.rawBody ??= await readAll(decode(request));
  };
  if (request.contentType?.startsWith('multipart/')) return;
  await request.readRawBody();
  request.body = parse(request, workflow.jsonParse) ?? {};
}

function decode(request) {
  const encoding = request.headers['content-encoding'];
  if (encoding === 'gzip') return request.pipe(createGunzip());
  return encoding === 'deflate' ? request.pipe(createInflate()) : request;
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parse({ rawBody, contentType, encoding }, jsonParse) {
  if (rawBody.length === 0) return undefined;
  try {
    if (contentType === 'application/json')
      return jsonParse(rawBody.toString(encoding).replace(/^\uFEFF/, ''));
  } catch {
    throw Object.assign(new Error('Failed to parse request body'), { status: 422 });
  }
  if (contentType === 'application/x-www-form-urlencoded') {
    return Object.fromEntries(new URLSearchParams(rawBody.toString(encoding)));
  }
  return contentType === 'text/plain' ? rawBody.toString(encoding) : undefined;
}
