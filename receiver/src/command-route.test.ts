import { afterEach, expect, it, vi } from 'vitest';

import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

const adminToken = 'admin-token-0123456789';

/** Long enough for a loaded machine. */
const SOON = { timeout: 20_000 };

let started: TestReceiver | undefined;
afterEach(() => started?.receiver.close());

it('runs four commands at once, also when their connections are gone', async () => {
  let running = 0;
  let finish = (): void => {};
  const isFinished = new Promise<void>((resolve) => (finish = resolve));
  started = await startTestReceiver({
    adminToken,
    runCommand: async (_asked, { write }) => {
      running += 1;
      write('begun');
      await isFinished;
      return 0;
    },
  });
  const { url } = started;
  const post = (signal?: AbortSignal) =>
    fetch(`${url}/api/commands`, {
      method: 'POST',
      body: '{"words":["pause"]}',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(signal === undefined ? {} : { signal }),
    });
  const leaving = new AbortController();
  const begun = Array.from({ length: 4 }, () => post(leaving.signal).catch(() => undefined));
  await vi.waitFor(() => expect(running).toBe(4), SOON);
  leaving.abort();
  await Promise.all(begun);
  expect((await post()).status).toBe(503);
  finish();
  await vi.waitFor(async () => expect((await post()).status).toBe(200), SOON);
});
