import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import { startTestTime } from '../../testing/bring-to-end.ts';
import { openTestNotion } from '../../testing/test-notion.ts';
import { createCallCounter, createCallRunner, openNotionClient } from './client.ts';

function open(withinMs = 20_000, gapMs = 400) {
  const time = startTestTime();
  const counter = createCallCounter(time.clock, gapMs);
  const made: number[] = [];
  const call = async (): Promise<void> => {
    counter.count();
    made.push(time.clock());
  };
  const begin = () => createCallRunner({ ...time, counter }, time.clock() + withinMs);
  return { ...time, made, call, begin };
}

/** The most calls of any 60 seconds. */
function countBusiest(made: readonly number[]): number {
  return Math.max(...made.map((atMs) => made.filter((one) => one >= atMs && one < atMs + 60_000).length));
}

describe('createCallRunner', () => {
  it.each([
    [400, 150],
    [100, 600],
    [0, 700],
    [60_000, 60],
  ])('with a gap of %i ms makes %i of 700 calls in a minute', async (gapMs, expected) => {
    const { made, call, begin } = open(3_600_000, gapMs);
    for (let count = 0; count < 700; count += 1) await begin().run(call);
    expect(countBusiest(made)).toBe(expected);
  });

  it('begins nothing that does not fit into the time, and says when it would', async () => {
    const { call, begin, pass, made } = open();
    for (let count = 0; count < 147; count += 1) await begin().run(call);
    pass(10_000);
    await begin().reserve(3);
    await expect(begin().reserve(4)).rejects.toMatchObject({ name: 'NoTimeLeftError', waitMs: 50_000 });
    pass(50_000);
    await begin().reserve(150);
    expect(made).toHaveLength(147);
  });

  it('does not repeat a call that may have succeeded', async () => {
    const { begin, waits } = open();
    let tries = 0;
    const fail = async (): Promise<void> => {
      tries += 1;
      throw new TypeError('fetch failed');
    };
    await expect(begin().run(fail)).rejects.toThrow('fetch failed');
    expect([tries, waits]).toEqual([1, []]);
  });
});

describe('openNotionClient', () => {
  it('leaves no listener at the deadline of its calls', async () => {
    const { settings, clock } = await openTestNotion();
    const deadline = new AbortController();
    const client = openNotionClient(settings, 5000, createCallCounter(clock), deadline.signal);
    await client.users.list({});
    await expect(client.pages.retrieve({ page_id: 'none' })).rejects.toThrow();
    expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
  });

  it('ends a call at the deadline', async () => {
    const { settings, clock, on } = await openTestNotion();
    on('other', 'hang');
    const deadline = new AbortController();
    const client = openNotionClient(settings, 5000, createCallCounter(clock), deadline.signal);
    const call = client.users.list({});
    deadline.abort();
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
