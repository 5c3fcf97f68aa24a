import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { NotSent, type Once, type OnceEffect, type OnceResult, openOnce } from './once.ts';

describeEachStore('openOnce', (kind) => {
  let store: TestStore;
  let once: Once;
  let nowMs: number;
  /** What the world has, by key. */
  let world: Map<string, string>;
  let sends: number;

  beforeAll(async () => {
    store = await openTestStore(kind);
  });
  afterAll(() => store.dispose());
  beforeEach(async () => {
    nowMs = Date.now();
    world = new Map();
    sends = 0;
    once = await openOnce(store.queueUrl, { clock: () => nowMs });
  });
  afterEach(() => once.close());

  let keys = 0;
  const newKey = () => `order ${kind} ${(keys += 1)}`;

  const charge = async ({ key }: { readonly key: string }) => {
    sends += 1;
    world.set(key, `ch_${sends}`);
    return `ch_${sends}`;
  };
  const find = async ({ key }: { readonly key: string }) => world.get(key);

  /** The lease of an attempt without an answer lasts as long as its call may take. */
  const timeoutMs = 100;

  /** Runs it again after as long as it says. */
  async function settle(key: string, effect: OnceEffect): Promise<OnceResult> {
    for (let runs = 0; runs < 10; runs += 1) {
      const result = await once.run(key, { timeoutMs, ...effect });
      if (result.state !== 'wait') return result;
      nowMs += result.forMs;
    }
    throw new Error('it waits without end');
  }

  it('brings an effect about once, also for a second opener', async () => {
    const key = newKey();
    expect(await once.run(key, { send: charge })).toEqual({
      state: 'sent',
      reference: 'ch_1',
      sentNow: true,
    });
    const other = await openOnce(store.queueUrl);
    expect(await other.run(key, { send: charge })).toEqual({
      state: 'sent',
      reference: 'ch_1',
      sentNow: false,
    });
    await other.close();
    expect(sends).toBe(1);
  });

  it('looks for what an attempt without an answer has brought about', async () => {
    const key = newKey();
    const send = async (call: { readonly key: string }) => {
      await charge(call);
      throw new Error('connection reset: hunter2');
    };
    const first = await once.run(key, { send, find, timeoutMs });
    expect(first).toMatchObject({ state: 'wait', cause: 'send ended with Error' });
    expect(await settle(key, { send, find })).toEqual({ state: 'sent', reference: 'ch_1', sentNow: false });
    expect(sends).toBe(1);
  });

  it('sends again what surely did not arrive', async () => {
    const key = newKey();
    const lost = async () => Promise.reject(new Error('lost'));
    expect(await once.run(key, { send: lost, find, timeoutMs })).toMatchObject({ state: 'wait' });
    expect(await settle(key, { send: charge, find })).toMatchObject({ state: 'sent', sentNow: true });
  });

  it('may be run again at once when nothing happened', async () => {
    const key = newKey();
    const refuse = async () => Promise.reject(new NotSent('the card was declined'));
    const refused = { state: 'not_sent', cause: 'the card was declined' };
    expect(await once.run(key, { send: refuse })).toEqual(refused);
    expect(await once.run(key, { send: refuse })).toEqual(refused);
    expect(await once.run(key, { send: charge })).toMatchObject({ state: 'sent', sentNow: true });
  });

  it('holds what cannot be looked up, unless it may be sent twice', async () => {
    const lost = async (call: { readonly key: string }) => {
      await charge(call);
      throw new Error('lost');
    };
    const [held, resent] = [newKey(), newKey()];
    expect(await once.run(held, { send: lost, timeoutMs })).toMatchObject({ state: 'wait' });
    expect(await settle(held, { send: charge })).toMatchObject({ state: 'held' });
    expect(sends).toBe(1);
    expect(await once.run(resent, { send: lost, timeoutMs })).toMatchObject({ state: 'wait' });
    expect(await settle(resent, { send: charge, whenUntraceable: 'resend' })).toMatchObject({
      state: 'sent',
    });
    expect(sends).toBe(3);
  });

  it('waits while find cannot be asked', async () => {
    const key = newKey();
    await once.run(key, { send: async () => Promise.reject(new Error('lost')), find, timeoutMs });
    const away = async () => Promise.reject(new TypeError('fetch failed'));
    nowMs += timeoutMs;
    expect(await once.run(key, { send: charge, find: away, timeoutMs })).toMatchObject({
      state: 'wait',
      cause: 'find ended with TypeError',
    });
    expect(sends).toBe(0);
  });

  it('gives a key to one run at a time, and ends a call in time', async () => {
    const key = newKey();
    const never = () => new Promise<string>(() => {});
    const running = once.run(key, { send: never, find, timeoutMs: 300 });
    await expect
      .poll(() => once.run(key, { send: charge, find }))
      .toMatchObject({
        state: 'wait',
        cause: 'an earlier attempt may still be under way',
      });
    expect(await running).toMatchObject({ state: 'wait', cause: 'send ended with TimeoutError' });
    expect(sends).toBe(0);
  });
});
