import { once } from 'node:events';
import { createServer } from 'node:net';

import { describe, expect, it } from 'vitest';

import { createReceivedLog } from './received-log.ts';
import { createVendorEmulators } from './vendor-emulators.ts';

describe('createVendorEmulators', () => {
  it('starts all three, and stops them all', async () => {
    const emulators = await createVendorEmulators();
    const addresses = [emulators.slack.url, emulators.notion.url, emulators.mail.controlUrl];
    for (const address of addresses) expect((await fetch(address)).status).toBe(200);
    expect(emulators.slack.apiUrl).toBe(`${emulators.slack.url}/api/`);
    expect(emulators.mail.url).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
    await emulators.close();
    for (const address of addresses) await expect(fetch(address)).rejects.toThrow('fetch failed');
  });

  it('leaves nothing running when a port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    const taken = typeof address === 'object' && address !== null ? address.port : 0;
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const freeAddress = free.address();
    const slack = typeof freeAddress === 'object' && freeAddress !== null ? freeAddress.port : 0;
    free.close();
    await once(free, 'close');
    await expect(createVendorEmulators({ ports: { slack, notion: taken } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await expect(fetch(`http://127.0.0.1:${String(slack)}/`)).rejects.toThrow('fetch failed');
    blocker.close();
  });
});

it('the log of arrivals keeps the newest 500, and tells listeners until they stop listening', () => {
  const log = createReceivedLog<number>();
  const seen: number[] = [];
  const stop = log.onReceived((item) => seen.push(item));
  log.add(1);
  stop();
  for (let number = 2; number <= 501; number += 1) log.add(number);
  expect([log.list().length, log.list()[0], log.list().at(-1), seen]).toEqual([500, 2, 501, [1]]);
});
