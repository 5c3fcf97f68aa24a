// Processes of the upload's benchmark. Of what sends: ways to move the file at `path`, by `move`. Of what receives: servers.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const chunkBytes = 20 * 1024 ** 2;
const apiKey = 'key_of_the_bench';
const dist = '../../packages/client/dist';

/**
 * A TCP server and an HTTP server that read and drop. The HTTP one answers every POST with a meeting, which is right for
 * the final request and harmless for the others, and every GET with as many bytes as its query `template_name` says.
 */
export async function discard() {
  const web = createServer((request, response) => {
    if (request.method === 'GET') {
      sendBytes(response, Number(new URL(request.url, 'http://x').searchParams.get('template_name')));
      return;
    }
    request.on('data', () => {});
    request.on('end', () => {
      response.setHeader('content-type', 'application/json').end('{"meeting_id":"m_bench"}');
    });
  });
  const raw = createTcpServer({ allowHalfOpen: true }, (socket) => {
    socket.on('data', () => {});
    socket.on('end', () => socket.end());
  });
  return { greeting: { baseUrl: `http://127.0.0.1:${await listen(web)}`, rawPort: await listen(raw) } };
}

function sendBytes(response, size) {
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': size });
  // The client looks whether a file begins as its format does.
  const piece = Buffer.alloc(256 * 1024, '%PDF-1.7\n');
  let left = size;
  const more = () => {
    while (left > 0) {
      const part = piece.subarray(0, left);
      left -= part.length;
      if (!response.write(part)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

/** What an ordinary program does that sends a file over TCP, with the read size that was best. */
export function pipe({ rawPort, path }) {
  return {
    move: () =>
      new Promise((resolve, reject) => {
        const socket = connect(rawPort, '127.0.0.1');
        socket
          .on('error', reject)
          .on('close', () => resolve({}))
          .resume();
        const file = createReadStream(path, { highWaterMark: 1024 ** 2 });
        file.on('error', reject).pipe(socket);
      }),
  };
}

/** Our client without hashing, which it never does without: its own parts, put together without a hash. */
export async function clientNoHash({ baseUrl, path }) {
  const { createChunkBuffer, planUpload } = await import(`${dist}/upload/chunk-format.js`);
  const { sendChunks } = await import(`${dist}/upload/chunk-run.js`);
  const { createChunkSender, measureForm } = await import(`${dist}/upload/chunk-sender.js`);
  const { openSource } = await import(`${dist}/upload/source.js`);
  const { openTransport } = await import(`${dist}/upload/transport.js`);
  return {
    async move() {
      const connection = {
        baseUrl,
        apiKey,
        timeoutMs: 30_000,
        retries: 0,
        clock: Date.now,
        headers: {},
        assertKeyAllowed: async () => {},
      };
      const file = await openSource({ path });
      const { chunks, chunkTotal } = planUpload(file.size, chunkBytes);
      const [id, sessionId] = [randomUUID(), randomUUID()];
      const identity = { id, sessionId, filename: 'bench.mp4', size: file.size, chunkTotal, details: {} };
      const boundary = 'aftermeet-bench';
      const room = measureForm(identity, boundary);
      const transport = openTransport(connection, 1);
      const sender = createChunkSender({ connection, transport, identity, boundary });
      await sendChunks({
        file,
        chunks,
        buffers: [createChunkBuffer(chunkBytes, room.head, room.tail)],
        giveWay: async () => {},
        isWanted: () => true,
        send: async ({ number, length }, buffer, signal) => {
          await sender.send(number, buffer, length, { signal });
        },
        onSent: async () => {},
        onSkipped: () => {},
      });
      transport.close();
      await file.close();
    },
  };
}

/** Our client as an application uses it, with a note after every chunk. */
export async function client({ baseUrl, path, folder, parallel = 1 }) {
  const { createClient } = await import(`${dist}/index.js`);
  const { uploads } = createClient({ baseUrl, apiKey });
  const options = { stateFolder: folder, force: true, parallel, anyType: true };
  return {
    async move() {
      const { meetingId } = await uploads.send({ path }, { title: 'Bench' }, options);
      if (meetingId !== 'm_bench') throw new Error('the upload came to nothing');
    },
  };
}

/** What the platform offers: fetch with FormData, and the file as a Blob that is read when it is sent. */
export function formData({ baseUrl, path }) {
  return {
    async move() {
      const blob = await openAsBlob(path);
      for (let offset = 0; offset < blob.size; offset += chunkBytes) {
        const form = new FormData();
        form.set('chunk_number', String(offset / chunkBytes));
        form.set('file', blob.slice(offset, offset + chunkBytes), 'bench.mp4');
        const response = await fetch(`${baseUrl}/api/video`, { method: 'POST', body: form });
        await response.text();
      }
    },
  };
}

/** An export of as many bytes as the file has, into a file of its own. */
export async function download({ baseUrl, path, folder }) {
  const { createClient } = await import(`${dist}/index.js`);
  const { exports: documents } = createClient({ baseUrl, apiKey });
  const { size } = statSync(path);
  return {
    async move() {
      const target = join(folder, 'export.pdf');
      const input = { meetingId: 'm_bench', format: 'pdf', templateName: String(size) };
      const { bytes } = await documents.download(input, target);
      await rm(target);
      if (bytes !== size) throw new Error(`${bytes} bytes instead of ${size}`);
    },
  };
}

/** Our sandbox, as its users start it. */
export async function sandboxServer({ folder }) {
  process.env.TMPDIR = folder;
  const { createSandbox } = await import('../../packages/sandbox/dist/index.js');
  const { url } = await createSandbox().listen();
  return { greeting: { port: Number(new URL(url).port) } };
}

/**
 * The least that a server can do which keeps what it is sent: the body of every request goes to a file of its own and
 * through one SHA-256. `/end` ends the file.
 */
export async function rawServer({ folder }) {
  let hash = createHash('sha256');
  let paths = [];
  async function receive(request, response) {
    if (request.url === '/end') {
      const sha256 = hash.digest('hex');
      for (const path of paths) rmSync(path);
      hash = createHash('sha256');
      paths = [];
      response.end(sha256);
      return;
    }
    const path = join(folder, `${process.pid}-${paths.length}.part`);
    paths.push(path);
    request.on('data', (piece) => hash.update(piece));
    await pipeline(request, createWriteStream(path));
    response.end();
  }
  return {
    greeting: { port: await listen(createServer((request, response) => void receive(request, response))) },
  };
}

async function listen(server) {
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server.address().port;
}
