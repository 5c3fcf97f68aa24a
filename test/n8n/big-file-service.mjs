// A service that has one file of any size and takes one upload of it: neither is ever whole in memory.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const pieceBytes = 1024 ** 2;
const headEnd = Buffer.from('\r\n\r\n');
/** The file part comes last; its own head is the one with a content type. */
const fileHead = Buffer.from('content-type: application/octet-stream\r\n\r\n');

/** `bytes`: of the file. */
export async function openBigFileService({ bytes }) {
  const sent = createHash('sha256');
  const received = createHash('sha256');
  const block = randomBytes(pieceBytes);
  let nextNumber = 0;

  async function sendExport(response) {
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
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
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
    const isLast = number === total - 1;
    answer(response, 200, isLast ? { meeting_id: 'm_big', user_id: 'u_1' } : { ok: true });
  }

  const server = createServer((request, response) => {
    if (request.method === 'GET') void sendExport(response);
    else takeChunk(request, response).catch(() => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    read: () => ({ sentSha256: sent.digest('hex'), receivedSha256: received.digest('hex') }),
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
