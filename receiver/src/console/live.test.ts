import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import express from 'express';
import { expect, it, onTestFinished, vi } from 'vitest';

import { createLiveUpdates } from './live.ts';

/** Long enough for a loaded machine. */
const SOON = { timeout: 20_000 };

/** A server whose pages are told of changes. */
async function start(options: { readonly readMark?: () => Promise<string> } = {}) {
  const state = { mark: 'one', isClosing: false, looks: 0 };
  const readMark = async (): Promise<string> => {
    state.looks += 1;
    return options.readMark === undefined ? state.mark : await options.readMark();
  };
  const app = express();
  app.get('/changes', createLiveUpdates({ readMark, isClosing: () => state.isClosing, lookMs: 5 }));
  // As in the receiver: a sender may close its half and wait for the answer.
  const server = Object.assign(createServer(app), { httpAllowHalfOpen: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const stopping = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/changes`, { signal: stopping.signal });
    let text = '';
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
    };
    const ended = read().catch(() => undefined);
    return { status: answer.status, text: () => text, ended, leave: () => stopping.abort() };
  };
  /** Opens a page, and closes the sending half of its connection. */
  const openAndLeave = async (): Promise<void> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write('GET /changes HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.end();
  };
  return { state, open, openAndLeave };
}

it('tells every open page once of each change, and looks only as long as one is open', async () => {
  const { state, open } = await start();
  const [one, other] = [await open(), await open()];
  await vi.waitFor(() => expect(state.looks).toBeGreaterThan(3), SOON);
  expect(one.text()).toBe('retry: 10000\n\n');
  state.mark = 'two';
  const told = 'retry: 10000\n\nevent: change\ndata:\n\n';
  await vi.waitFor(() => expect([one.text(), other.text()]).toEqual([told, told]), SOON);
  one.leave();
  other.leave();
  let before = -1;
  await vi.waitFor(
    () => {
      const isStill = state.looks === before;
      before = state.looks;
      expect(isStill).toBe(true);
    },
    { ...SOON, interval: 50 },
  );
  // What happens meanwhile is no change for a page that comes later.
  state.mark = 'three';
  const later = await open();
  await vi.waitFor(() => expect(state.looks).toBeGreaterThan(before + 2), SOON);
  expect(later.text()).toBe('retry: 10000\n\n');
});

it('says nothing while the store is away', async () => {
  let isAway = false;
  const { state, open } = await start({
    readMark: async () => {
      if (isAway) throw new Error('away');
      return 'one';
    },
  });
  const page = await open();
  await vi.waitFor(() => expect(state.looks).toBeGreaterThan(1), SOON);
  isAway = true;
  const { looks } = state;
  await vi.waitFor(() => expect(state.looks).toBeGreaterThan(looks + 2), SOON);
  isAway = false;
  await vi.waitFor(() => expect(state.looks).toBeGreaterThan(looks + 5), SOON);
  expect(page.text()).toBe('retry: 10000\n\n');
});

it('gives the place of a page that has closed its half to another', async () => {
  const { open, openAndLeave } = await start();
  for (let count = 0; count < 60; count += 1) await openAndLeave();
  await vi.waitFor(async () => expect((await open()).status).toBe(200), SOON);
});

it('takes fifty pages, and lets go of them when the receiver stops', async () => {
  const { state, open } = await start();
  const pages = await Promise.all(Array.from({ length: 50 }, () => open()));
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await open()).status).toBe(503);
  state.isClosing = true;
  await Promise.all(pages.map(({ ended }) => ended));
});
