import { once } from 'node:events';

import { afterEach, expect, it } from 'vitest';

import { readAll } from './testing/read-socket.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

// What ended the process once.

let started: TestReceiver | undefined;
afterEach(() => started?.receiver.close());

/** An inbox whose readiness takes as long as the test wants. */
async function openSlow() {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  started = await startTestReceiver({
    inbox: {
      accept: () => Promise.reject(new Error('not used')),
      recordRefusal: () => Promise.resolve(),
      listRefusals: () => Promise.resolve([]),
      ping: () => given,
      close: () => Promise.resolve(),
    },
  });
  return { started, give };
}

const isAlive = async (url: string) => (await fetch(`${url}/healthz`)).status;

it('answers a readiness request with broken bytes behind its head once, and goes on', async () => {
  const opened = await openSlow();
  const socket = opened.started.open(true);
  socket.end('GET /readyz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n');
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 /);
  opened.give();
  expect(await isAlive(opened.started.url)).toBe(200);
});

it('survives an offer to upgrade behind too many pipelined requests, and a reset', async () => {
  const opened = await openSlow();
  const { url } = opened.started;
  const readiness = 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(9);
  for (const last of [
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST /hooks/default HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde',
  ]) {
    const socket = opened.started.open();
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(readiness + last);
    expect(await isAlive(url)).toBe(200);
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect(await isAlive(url)).toBe(200);
  }
  opened.give();
  expect(await isAlive(url)).toBe(200);
});
