import { getEventListeners } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { createClient } from '../create-client.ts';
import { AmbiguousWriteError } from '../errors.ts';
import {
  API_KEY,
  bytesSource,
  cleanUp,
  CONTENT_SHA256,
  failureOf,
  numbersOf,
  send,
  sendJson,
  sha256,
  startService,
  startTcpServer,
} from './testing/upload-service.ts';

afterEach(cleanUp);

const MIB = 1024 ** 2;
/** More than the system takes from a client before the other side reads. */
const LONG_SOURCE = { bytes: Buffer.alloc(19 * MIB, 'm'), filename: 'a' };

describe('a chunk that did not get through', () => {
  it.each([408, 425, 429, 500, 503])('is sent again after %d, the same bytes', async (status) => {
    const waits: number[] = [];
    const service = await startService((chunk, response, { chunks }) => {
      if (chunk.number !== 1 || chunks.length > 2) return false;
      response.setHeader('retry-after', '2');
      return sendJson(response, status, {});
    });
    const connection = { wait: async (ms: number) => void waits.push(ms) };
    const result = await send(service, bytesSource, { connection });
    expect(numbersOf(service)).toEqual([0, 1, 1, 2, 3]);
    expect(service.chunks[1]?.bytes.equals(service.chunks[2]?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(waits).toEqual([2250]);
    expect(result).toMatchObject({ sha256: CONTENT_SHA256, chunks: { sent: 3 } });
  });

  it('is sent again when the connection broke, at the end too', async () => {
    const toBreak = new Set([1, 3]);
    const service = await startService((chunk, response) => {
      const breaks = toBreak.delete(chunk.number);
      if (breaks) response.destroy();
      return breaks;
    });
    await send(service, bytesSource);
    expect(numbersOf(service)).toEqual([0, 1, 1, 2, 3, 3]);
  });

  it('is sent again when the connection broke in the middle of it', async () => {
    let connections = 0;
    const service = await startService();
    const { port } = new URL(service.baseUrl);
    const proxy = await startTcpServer((socket) => {
      connections += 1;
      if (connections === 1) {
        socket.once('data', () => socket.resetAndDestroy());
        return;
      }
      const behind = connect(Number(port), '127.0.0.1');
      behind.on('error', () => socket.destroy());
      socket.pipe(behind).pipe(socket);
    });
    const bytes = Buffer.alloc(8 * MIB, 'm');
    const client = createClient({ baseUrl: proxy.baseUrl, apiKey: API_KEY, wait: async () => {} });
    await client.uploads.send({ bytes, filename: 'a' }, {}, { anyType: true });
    expect(connections).toBeGreaterThan(1);
    expect(sha256(service.chunks[0]?.bytes ?? Buffer.alloc(0))).toBe(sha256(bytes));
  });

  it('is given up when the retries are', async () => {
    const service = await startService((_chunk, response) =>
      sendJson(response, 503, { message: `no ${API_KEY}` }),
    );
    const error = await failureOf(send(service, bytesSource));
    expect(error).toMatchObject({ code: 'server', status: 503, retryable: true });
    expect(error.message).toBe('uploads.chunk: POST /api/video answered 503: no [hidden]');
    expect(numbersOf(service)).toEqual([0, 0, 0]);
  });

  it.each([400, 401, 402, 403, 413])('is not sent again after %d', async (status) => {
    const service = await startService((_chunk, response) => sendJson(response, status, {}));
    expect((await failureOf(send(service, bytesSource))).status).toBe(status);
    expect(numbersOf(service)).toEqual([0]);
  });

  it('stops the others that are in flight', async () => {
    const service = await startService((chunk, response) => {
      // The first one is never answered.
      if (chunk.number === 1) setTimeout(() => sendJson(response, 402, {}), 20);
      return true;
    });
    expect((await failureOf(send(service, bytesSource, { parallel: 2 }))).status).toBe(402);
  });

  it('is no connection when nobody listens', async () => {
    const error = await failureOf(send({ baseUrl: 'http://127.0.0.1:1' }, bytesSource));
    expect(error).toMatchObject({ code: 'connection', detail: 'ECONNREFUSED', retryable: true });
  });
});

describe('the connections', () => {
  it('are used for chunk after chunk, and closed at the end', async () => {
    const service = await startService();
    await send(service, bytesSource);
    expect(service.connections.made).toBe(1);
    await vi.waitFor(() => expect(service.connections.open).toBe(0));
  });

  it('leave nothing behind at a signal that lives on', async () => {
    const { signal } = new AbortController();
    await send(await startService(), bytesSource, { signal, parallel: 2 });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('an answer', () => {
  it.each<[string, string, object]>([
    ['of refusal is obeyed', '401 Unauthorized', { code: 'unauthorized', detail: 'no' }],
    [
      'of success is none',
      '200 OK',
      { code: 'connection', detail: 'the service answered before it had everything', retryable: true },
    ],
  ])('%s before the whole request was read', async (_name, status, facts) => {
    const service = await startTcpServer((socket) => {
      socket.once('data', () => {
        socket.pause();
        socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\nno`);
      });
    });
    const client = createClient({ baseUrl: service.baseUrl, apiKey: API_KEY, retries: 0 });
    const error = await failureOf(client.uploads.send(LONG_SOURCE, {}, { anyType: true }));
    expect(error).toMatchObject(facts);
  });

  it('that redirects is an error, and the key goes nowhere', async () => {
    const elsewhere = await startService();
    const service = await startService((_chunk, response) => {
      response.writeHead(307, { location: `${elsewhere.baseUrl}/api/video` }).end();
      return true;
    });
    expect(await failureOf(send(service, bytesSource))).toMatchObject({
      code: 'redirected',
      status: 307,
      detail: expect.stringContaining('redirects are not followed'),
    });
    expect(service.chunks).toHaveLength(1);
    expect(elsewhere.chunks).toHaveLength(0);
  });

  it('that is far too long is unreadable', async () => {
    const service = await startService((_chunk, response) => {
      response.end(Buffer.alloc(2 * MIB, 'x'));
      return true;
    });
    expect((await failureOf(send(service, bytesSource))).code).toBe('unreadable');
  });

  it.each<[string, unknown]>([
    ['nested', { data: { meetingId: 'm_9', userId: 'u' } }],
    ['with a number', { meeting_id: 9, user_id: 'u' }],
  ])('may have another shape: %s', async (_name, body) => {
    const service = await startService(
      (chunk, response) => chunk.number === 3 && sendJson(response, 200, body),
    );
    expect((await send(service, bytesSource)).meetingId).toMatch(/^(m_)?9$/);
  });

  it.each(['', 'OK', '{"id":"u_1"}', '{"meeting_id":null}', '[]'])(
    'to the end that names no meeting is ambiguous: %j',
    async (text) => {
      const service = await startService((chunk, response) => {
        if (chunk.number === 3) response.end(text);
        return chunk.number === 3;
      });
      const clock = (): number => Date.UTC(2026, 6, 7, 13);
      const error = await failureOf(
        send(service, bytesSource, { details: { title: 'Board' }, connection: { clock } }),
      );
      expect(error).toBeInstanceOf(AmbiguousWriteError);
      expect(error).toMatchObject({
        code: 'ambiguous',
        status: 200,
        verifyWith: { operation: 'meetings.search', input: { q: 'Board', dateFrom: '2026-07-07' } },
      });
      expect(numbersOf(service)).toEqual([0, 1, 2, 3]);
    },
  );
});

describe('a silent connection', () => {
  it('is a timeout after three times the limit', async () => {
    const service = await startService(() => true);
    const connection = { timeoutMs: 200, retries: 0 };
    const error = await failureOf(send(service, bytesSource, { connection }));
    expect(error).toMatchObject({ code: 'timeout', detail: 'no answer in 600 ms', retryable: true });
  });

  it.each<[string, string, string]>([
    ['blanks', 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', ' '],
    ['promises', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('is an answer that drips %s, too', async (_name, head, drop) => {
    const service = await startTcpServer((socket) => {
      socket.on('data', (piece) => {
        if (!piece.toString('latin1').endsWith('--\r\n')) return;
        socket.write(head);
        const dripping = setInterval(() => socket.write(drop), 10);
        socket.once('close', () => clearInterval(dripping));
      });
    });
    const connection = { timeoutMs: 200, retries: 0 };
    const error = await failureOf(send(service, bytesSource, { connection }));
    expect(error).toMatchObject({ code: 'timeout', detail: 'no answer in 600 ms' });
  });

  it('is none as long as something moves, however slowly', async () => {
    const startedMs = performance.now();
    const service = await startTcpServer((socket) => {
      let unread = 2 * MIB;
      socket.on('data', (piece) => {
        unread -= piece.length;
        if (piece.toString('latin1').includes('--\r\n')) {
          socket.write('HTTP/1.1 402 No\r\ncontent-length: 0\r\n\r\n');
        } else if (unread < 0) {
          socket.pause();
          unread = 2 * MIB;
          setTimeout(() => socket.resume(), 80);
        }
      });
    });
    const client = createClient({ baseUrl: service.baseUrl, apiKey: API_KEY, timeoutMs: 200, retries: 0 });
    const error = await failureOf(client.uploads.send(LONG_SOURCE, {}, { anyType: true }));
    expect(error.code).toBe('payment_required');
    expect(performance.now() - startedMs).toBeGreaterThan(600);
  });
});

describe('aborting', () => {
  it('ends an upload at once that waits for an answer, and its connections', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> = Promise.resolve();
    const service = await startService((_chunk, response) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      controller.abort();
      return true;
    });
    const error = await failureOf(send(service, bytesSource, { signal: controller.signal, parallel: 2 }));
    expect(error).toMatchObject({ code: 'aborted', retryable: false });
    await closed;
  });

  it('ends one at once that waits for its stream', async () => {
    const controller = new AbortController();
    const stream = new Readable({ read: () => setImmediate(() => controller.abort()) });
    const source = { stream, filename: 'a', size: 2500 };
    const error = await failureOf(
      send({ baseUrl: 'http://127.0.0.1:1' }, source, { signal: controller.signal }),
    );
    expect(error.code).toBe('aborted');
    expect(stream.destroyed).toBe(true);
  });

  it('ends one at once that waits for its next try', async () => {
    const controller = new AbortController();
    const service = await startService((_chunk, response) => sendJson(response, 503, {}));
    const wait = (_ms: number, signal?: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
        controller.abort();
      });
    const error = await failureOf(
      send(service, bytesSource, { signal: controller.signal, connection: { wait } }),
    );
    expect(error.code).toBe('aborted');
  });

  it('before the beginning sends nothing', async () => {
    const service = await startService();
    const error = await failureOf(send(service, bytesSource, { signal: AbortSignal.abort() }));
    expect(error.code).toBe('aborted');
    expect(service.chunks).toEqual([]);
  });
});
