import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

import { afterEach, expect, it } from 'vitest';

import { createStalledReaderSweep, trackSockets } from './connections.ts';

const server = createServer();

const open = trackSockets(server);

const sweep = createStalledReaderSweep(open);

afterEach(() => {
  server.close();
  for (const { socket } of open.values()) socket.destroy();
});

async function openPair(): Promise<{ readonly peer: Socket; readonly socket: Socket }> {
  const { port } = server.address() as AddressInfo;
  const peer = connect({ port, host: '127.0.0.1' });
  peer.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  return { peer, socket };
}

it('closes the connection of a peer that reads none of its answers, and no other', async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stalled = await openPair();
  const slow = await openPair();
  const quiet = await openPair();
  // More than the system holds for a peer.
  const megabyte = Buffer.alloc(1024 * 1024);
  for (const { socket } of [stalled, slow]) {
    for (let count = 0; count < 40; count += 1) socket.write(megabyte);
  }
  for (let count = 0; count < 11; count += 1) {
    const { writableLength } = slow.socket;
    expect([stalled.socket.destroyed, writableLength > 0]).toEqual([false, true]);
    sweep();
    if (count === 5) {
      let read = 0;
      slow.peer.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > 8 * megabyte.length) slow.peer.pause();
      });
      await expect.poll(() => slow.socket.writableLength, { interval: 1 }).toBeLessThan(writableLength);
    }
  }
  expect([stalled.socket.destroyed, slow.socket.destroyed, quiet.socket.destroyed]).toEqual([
    true,
    false,
    false,
  ]);
  for (const { peer } of [stalled, slow, quiet]) peer.destroy();
});
