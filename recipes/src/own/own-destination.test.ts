import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { settlePolicies } from '../destinations/index.ts';
import {
  type DestinationTools,
  type OwnDestination,
  defineDestination,
  pause,
  refuse,
  retry,
  sent,
} from './define-destination.ts';
import { configureDestination, readOwnDestination } from './own-destination.ts';

const pager = defineDestination({
  name: 'pager',
  settings: z.strictObject({ url: z.url({ error: 'an address' }), team: z.string().default('all') }),
  message: z.strictObject({ text: z.string().min(1, { error: 'text that is not empty' }) }),
  policy: { gap: '2s', timeout: '3s' },
  send: async () => sent('1'),
});

function configure(
  destination: unknown,
  values: Readonly<Record<string, unknown>> = { url: 'https://x.example' },
) {
  const read = readOwnDestination(destination, './pager.ts');
  if (!read.ok) throw new Error(read.found);
  return configureDestination('pager', read, values);
}

async function open(change: Partial<OwnDestination>, values?: Readonly<Record<string, unknown>>) {
  const configured = configure({ ...pager, ...change }, values);
  if (!configured.ok) throw new Error(configured.problems[0]?.expected);
  const { destination, settings } = configured.configured;
  const policy = settlePolicies({ pager: configured.policy }, { own: [configured.configured] }).of('pager');
  const connector = destination.open(settings, { policy, clock: Date.now });
  const label = { effectKey: 'k1', target: 'pager' };
  const preparation = await connector.prepare({ text: 'Hello' }, label);
  if (preparation.result !== 'ready') throw new Error(preparation.result);
  return { ...preparation.prepared, policy, destination, settings };
}

describe("a destination of one's own", () => {
  it.each([
    [sent('1'), { result: 'sent', reference: '1' }],
    [sent(), { result: 'sent', reference: 'k1' }],
    [retry('full'), { result: 'not_sent_retry', cause: 'full' }],
    [retry('slow', { afterMs: 5000 }), { result: 'rate_limited', cause: 'slow', retryAfterMs: 5000 }],
    [retry('slow', { afterMs: Number.NaN }), { result: 'not_sent_retry', cause: 'slow' }],
    [refuse('too long'), { result: 'permanent', cause: 'too long' }],
    [pause('no token'), { result: 'paused', cause: 'no token' }],
    [undefined, { result: 'unknown', cause: './pager.ts: send returned none of sent, retry, refuse, pause' }],
    [
      { ok: true },
      { result: 'unknown', cause: './pager.ts: send returned none of sent, retry, refuse, pause' },
    ],
  ])('answers %j', async (answer, result) => {
    const opened = await open({ send: async () => answer as never });
    expect(await opened.send()).toEqual(result);
  });

  it('that throws has an unknown outcome, and its words stay out', async () => {
    const cause = new Error('connect 10.0.0.1');
    Object.assign(cause, { code: 'ECONNREFUSED' });
    const opened = await open({
      send: () => Promise.reject(new TypeError('https://hunter2', { cause })),
      find: () => Promise.reject(new RangeError('hunter2')),
    });
    expect(await opened.send()).toEqual({
      result: 'unknown',
      cause: './pager.ts: send ended with TypeError, ECONNREFUSED',
    });
    expect(await opened.probe(0)).toEqual({
      result: 'not_asked',
      cause: './pager.ts: find ended with RangeError',
    });
  });

  it('that ignores its signal is left at its timeout', async () => {
    const opened = await open(
      { send: () => new Promise(() => {}) },
      { url: 'https://x.example', timeout: '1s' },
    );
    expect(opened.timeoutMs).toBe(1000);
    expect(await opened.send()).toEqual({
      result: 'unknown',
      cause: './pager.ts: send ended with TimeoutError',
    });
  });

  it('gets its own settings with their defaults, and the key of the effect', async () => {
    const calls: unknown[] = [];
    const opened = await open({
      send: async (message, { settings, key }: DestinationTools<object> & { key: string }) => {
        calls.push([message, settings, key]);
        return sent();
      },
      find: async (key, { sinceMs }) => `${key} since ${sinceMs}`,
    });
    await opened.send();
    expect(calls).toEqual([[{ text: 'Hello' }, { url: 'https://x.example', team: 'all' }, 'k1']]);
    expect(await opened.probe(7)).toEqual({ result: 'found', reference: 'k1 since 7' });
  });

  it('without find cannot be traced; with it, undefined means absent', async () => {
    expect(await (await open({})).probe(0)).toEqual({ result: 'untraceable' });
    expect(await (await open({ find: async () => undefined })).probe(0)).toEqual({ result: 'absent' });
  });

  it.each([
    [null, { result: 'absent' }],
    ['', { result: 'found', reference: '' }],
    [false, { result: 'not_asked', cause: './pager.ts: find returned neither text nor undefined' }],
    [7, { result: 'not_asked', cause: './pager.ts: find returned neither text nor undefined' }],
  ])('whose find answers %j is not taken at a guess', async (answer, result) => {
    const opened = await open({ find: async () => answer as never });
    expect(await opened.probe(0)).toEqual(result);
  });

  it('has the policy of its file where the settings say nothing', async () => {
    const { policy } = await open({}, { url: 'https://x.example', gap: '5s' });
    expect([policy.gapMs, policy.timeoutMs]).toEqual([5000, 3000]);
  });

  it.each([
    [{}, ['destinations.pager.url', 'nothing', 'an address']],
    [
      { url: 'https://x.example', tema: 'a' },
      ['destinations.pager.tema', 'a setting that is not known', expect.stringContaining('team')],
    ],
    [
      { url: 'https://x.example', gap: 'soon' },
      ['destinations.pager.gap', 'a value that does not fit', expect.stringContaining('a time')],
    ],
  ])('names what is wrong with %j', (values, [setting, found, expected]) => {
    expect(configure(pager, values)).toEqual({ ok: false, problems: [{ setting, found, expected }] });
  });

  it('may know when_untraceable only without find', () => {
    const values = { url: 'https://x.example', when_untraceable: 'hold' };
    expect(configure(pager, values)).toMatchObject({ ok: true, policy: { whenUntraceable: 'hold' } });
    expect(configure({ ...pager, find: async () => undefined }, values)).toMatchObject({ ok: false });
  });

  it('is checked by its own code', async () => {
    const check = async (answer: NonNullable<OwnDestination['check']>) => {
      const { destination, settings } = await open({ check: answer });
      return await Promise.all(destination.check?.(settings, [], 1000) ?? []);
    };
    expect(await check(async () => ({ ok: true, found: 'it answers' }))).toEqual([
      [{ name: 'pager', result: 'ok', found: 'it answers' }],
    ]);
    expect(await check(() => Promise.reject(new Error('hunter2')))).toEqual([
      [{ name: 'pager', result: 'failed', found: './pager.ts: check ended with Error' }],
    ]);
  });
});
