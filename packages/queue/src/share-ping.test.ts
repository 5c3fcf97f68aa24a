import { expect, it } from 'vitest';

import { sharePing } from './share-ping.ts';

/** A shared ping whose answers come when the test says so. */
function makePing() {
  const asked: { readonly end: (error?: Error) => void }[] = [];
  let nowMs = 5000;
  const shared = sharePing(
    () =>
      new Promise((resolve, reject) => {
        asked.push({ end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    () => nowMs,
  );
  return { shared, asked, pass: (ms: number) => void (nowMs += ms) };
}

it('asks once for all who want to know, and again after a second', async () => {
  const { shared, asked, pass } = makePing();
  const pings = [shared.ping(), shared.ping()];
  asked[0]?.end();
  await Promise.all([...pings, shared.ping()]);
  pass(999);
  await shared.ping();
  expect(asked).toHaveLength(1);
  pass(1);
  const next = shared.ping();
  expect(asked).toHaveLength(2);
  asked[1]?.end();
  await next;
});

it('asks again after a failure, its own or another', async () => {
  const { shared, asked } = makePing();
  const failed = [shared.ping(), shared.ping()];
  asked[0]?.end(new Error('away'));
  for (const ping of failed) await expect(ping).rejects.toThrow('away');
  const fine = shared.ping();
  asked[1]?.end();
  await fine;
  shared.forget();
  void shared.ping();
  expect(asked).toHaveLength(3);
});
