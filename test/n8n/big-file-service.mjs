// A service that has one file of any size and takes one upload of it: neither is ever whole in memory.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

const pieceBytes = 1024 ** 2;
const headEnd = Buffer.from('\r\n\r\n');
/** The file part comes last; its own head is the one with a content type. */
const fileHead = Buffer.from('content-type: application/octet-stream\r\n\r\n');

/**
 * `breakEvery`: every so many requests of the upload the connection is cut once in the middle of the body (0: never).
 * `tls`: key and certificate, for https. `onFirstRequest` is called when n8n asks for the file.
 */
export async function openBigFileService({ bytes, breakEvery = 0, onFirstRequest = () => {}, tls }) {
  const sent = createHash('sha256');
  const received = createHash('sha256');
  const block = randomBytes(pieceBytes);
  const seen = { chunks: 0, broken: 0, receivedBytes: 0, expectedSha256: undefined };
  let nextNumber = 0;
  let posts = 0;

  async function sendExport(response) {
    onFirstRequest();
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': bytes });
    for (let at = 0; at < bytes; at += pieceBytes) {
      const piece = Buffer.from(block.subarray(0, Math.min(pieceBytes, bytes - at)));
      // No two pieces are the same: one in the wrong place would show.
      piece.write(at === 0 ? '%PDF-1.7' : String(at), 'latin1');
      sent.update(piece);
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  }

  async function takeChunk(request, response) {
    posts += 1;
    const isBroken = breakEvery > 0 && posts % breakEvery === 0;
    const pieces = [];
    let length = 0;
    for await (const piece of request) {
      pieces.push(piece);
      length += piece.length;
      if (isBroken && length > Number(request.headers['content-length']) / 2) {
        seen.broken += 1;
        request.destroy();
        return;
      }
    }
    const body = Buffer.concat(pieces);
    const start = body.indexOf(fileHead) + fileHead.length;
    const boundary = body.subarray(0, body.indexOf('\r\n')).toString();
    const file = body.subarray(start, body.length - `\r\n${boundary}--\r\n`.length);
    const number = Number(readField(body, 'chunk_number'));
    const total = Number(readField(body, 'chunk_total'));
    if (number !== nextNumber) {
      answer(response, 400, { message: `chunk ${nextNumber} was expected` });
      return;
    }
    nextNumber += 1;
    received.update(file);
    seen.receivedBytes += file.length;
    if (number < total - 1) {
      seen.chunks += 1;
      answer(response, 200, { ok: true });
      return;
    }
    seen.expectedSha256 = readField(body, 'expected_sha256');
    answer(response, 200, { meeting_id: 'm_big', user_id: 'u_1' });
  }

  const handle = (request, response) => {
    if (request.method === 'GET') void sendExport(response);
    else takeChunk(request, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${server.address().port}`,
    read: () => ({ ...seen, sentSha256: sent.digest('hex'), receivedSha256: received.digest('hex') }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function readField(body, name) {
  const at = body.indexOf(`name="${name}"`);
  if (at < 0) return undefined;
  const start = body.indexOf(headEnd, at) + headEnd.length;
  return body.subarray(start, body.indexOf('\r\n', start)).toString();
}

function answer(response, status, json) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(json));
}
