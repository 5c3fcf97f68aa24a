import { connect, type Socket } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { openTestStore, type TestStore } from '../support/index.ts';
import { type AftermeetProcess, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';

const SECRET = 'whsec_0123456789abcdef';
const STORY_WITHIN_MS = 90_000;
const CONNECTIONS = 300;

/** Without an end: again when it is answered, and again when the connection was closed. */
const floods: Readonly<Record<string, () => string>> = {
  'pipelined requests': () => 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(90),
  'large forgeries': () =>
    [
      'POST /hooks/default HTTP/1.1',
      'Host: a',
      'Content-Length: 200000',
      `X-Service-Timestamp: ${Math.floor(Date.now() / 1000)}`,
      `X-Service-Signature: sha256=${'0'.repeat(64)}`,
      '',
      'x'.repeat(200_000),
    ].join('\r\n'),
};

describe('a flood', () => {
  let store: TestStore;
  let receiver: AftermeetProcess | undefined;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    store = await openTestStore('embedded');
  });
  afterEach(async () => {
    for (const socket of sockets) socket.removeAllListeners('close').destroy();
    sockets.clear();
    await receiver?.end('SIGKILL');
  });
  afterAll(() => store.dispose());

  function flood(port: number, text: string): void {
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.add(socket);
    socket.on('connect', () => socket.write(text));
    socket.on('data', () => socket.writableLength === 0 && socket.write(text));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      flood(port, text);
    });
  }

  it.each(Object.keys(floods))(
    'of %s keeps no genuine delivery out',
    { timeout: STORY_WITHIN_MS },
    async (kind) => {
      receiver = await startAftermeet(['receiver', '--port', '0'], {
        QUEUE_URL: store.queueUrl,
        WEBHOOK_SECRET: SECRET,
      });
      const url = receiver.facts['url'] ?? '';
      const text = floods[kind]?.() ?? '';
      for (let count = 0; count < CONNECTIONS; count += 1) flood(Number(new URL(url).port), text);
      const statuses: number[] = [];
      for (let count = 0; count < 20; count += 1) {
        statuses.push(await deliver(`${url}/hooks/default`, `${kind} ${count}`, SECRET));
      }
      expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    },
  );
});
