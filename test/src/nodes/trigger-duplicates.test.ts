import { describe, expect, it } from 'vitest';

import {
  addKeys,
  appendKeys,
  createDeliveryClaims,
  holdsKey,
  mostKeys,
} from '../../../nodes/nodes/AftermeetTrigger/duplicates.ts';
import { serve } from './support/serve.ts';
import {
  openTrigger as open,
  sign,
  type TriggerHarnessOptions,
  writeEvent,
} from './support/trigger-harness.ts';

const accepted = '200 {"status":"accepted"}';
const duplicate = '200 {"status":"duplicate"}';
const unavailable = '503 {"status":"refused","reason":"unavailable"}';

describe('the same event again', () => {
  it.each<[string, () => Record<string, string>]>([
    ['the very same request', () => sign(writeEvent())],
    ['signed anew', () => sign(writeEvent(), { ageSeconds: 60 })],
    ['with another delivery id', () => ({ ...sign(writeEvent()), 'X-Service-Delivery': 'd_2' })],
  ])('starts nothing: %s', async (_name, headersOf) => {
    const harness = await open();
    const body = writeEvent();
    expect(await harness.post(body, { ...sign(body), 'X-Service-Delivery': 'd_1' })).toBe(accepted);
    expect(await harness.post(body, headersOf())).toBe(duplicate);
    expect(harness.executions).toHaveLength(1);
  });

  it.each([
    ['another occurrence of a series', { timestamp: '2026-07-14T12:00:00Z' }],
    ['another meeting', { meeting_id: 'm_2' }],
    ['a failure that is completed later', { event: 'meeting.failed' }],
  ])('is not %s', async (_name, fields) => {
    const harness = await open();
    expect(await harness.post(writeEvent())).toBe(accepted);
    expect(await harness.post(writeEvent(fields))).toBe(accepted);
    expect(harness.executions).toHaveLength(2);
  });

  it('is known after n8n was started again, by what it keeps', async () => {
    const harness = await open();
    await harness.post(writeEvent());
    // The first 22 characters of the SHA-256 of ["service","meeting.completed","m_1","2026-07-07T12:00:00Z"] in Base64url.
    expect(harness.kept()).toEqual({ deliveries: 'r57zxUv5PPTN-2w51yYRV1' });
    const started = await open({ kept: harness.kept() });
    expect(await started.post(writeEvent())).toBe(duplicate);
    expect(started.executions).toEqual([]);
  });

  it('is known after n8n was started again, though executions at the same time wipe out what others kept', async () => {
    const harness = await open({ broken: 'memory' });
    await harness.post(writeEvent());
    await harness.post(writeEvent({ meeting_id: 'm_2' }));
    expect(harness.kept()).toEqual({});
    harness.mend();
    await harness.post(writeEvent({ meeting_id: 'm_3' }));
    const started = await open({ kept: harness.kept() });
    for (const meeting_id of ['m_1', 'm_2', 'm_3'])
      expect(await started.post(writeEvent({ meeting_id }))).toBe(duplicate);
  });

  it('is known while n8n has lost what another request kept', async () => {
    const harness = await open({ broken: 'memory' });
    expect(await harness.post(writeEvent())).toBe(accepted);
    await expect.poll(() => harness.post(writeEvent())).toBe(duplicate);
    expect(harness.executions).toHaveLength(1);
  });

  it('is taken again when n8n could not store the execution', async () => {
    const harness = await open({ broken: 'store' });
    expect(await harness.post(writeEvent())).toContain('500');
    await expect.poll(() => harness.post(writeEvent())).toContain('500');
    expect(harness.kept()).toEqual({});
  });

  it('starts the workflow each time in a test run', async () => {
    const harness = await open({ mode: 'manual' });
    expect(await harness.post(writeEvent())).toBe(accepted);
    expect(await harness.post(writeEvent())).toBe(accepted);
    expect(harness.kept()).toEqual({});
  });

  it('is to come again while the first one is still under way', async () => {
    const { harness, asked, release } = await openSlowly();
    const first = harness.post(writeEvent());
    await asked;
    expect(await harness.post(writeEvent())).toBe(unavailable);
    release();
    expect(await first).toBe(accepted);
    await expect.poll(() => harness.post(writeEvent())).toBe(duplicate);
    expect(harness.executions).toHaveLength(1);
  });

  it.each<[string, TriggerHarnessOptions]>([
    ['', {}],
    [', and while its execution runs, before n8n saves anything', { broken: 'memory' }],
  ])(
    'is to come again while the first one is under way, though its sender went away%s',
    async (_more, options) => {
      const { harness, asked, release } = await openSlowly(options);
      const leaving = new AbortController();
      const body = writeEvent();
      const first = fetch(harness.url, { method: 'POST', headers: sign(body), body, signal: leaving.signal });
      await asked;
      leaving.abort();
      await expect(first).rejects.toThrow('abort');
      await harness.gone();
      expect(await harness.post(body)).toBe(unavailable);
      release();
      await expect.poll(() => harness.post(body)).toBe(duplicate);
      expect(harness.executions).toHaveLength(1);
    },
  );
});

/** A trigger that fetches reports from a service that answers once it is released. */
async function openSlowly(options: TriggerHarnessOptions = {}) {
  let release = (): void => {};
  let wasAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    wasAsked = resolve;
  });
  const baseUrl = await serve((_request, response) => {
    release = () => response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"gone"}');
    wasAsked();
  });
  const harness = await open({ ...options, baseUrl, parameters: { fetchReport: true } });
  return { harness, asked, release: () => release() };
}

describe('what is remembered', () => {
  const keyOf = (index: number): string => String(index).padStart(22, 'k');

  it('is bounded, the newest last', () => {
    let kept = '';
    for (let index = 0; index < mostKeys + 5; index += 1) kept = addKeys(kept, [keyOf(index)]);
    expect(kept).toHaveLength(mostKeys * 23 - 1);
    expect([4, 5, mostKeys + 4].map((index) => holdsKey(kept, keyOf(index)))).toEqual([false, true, true]);
  });

  it('is the same by both ways of adding to it', () => {
    let [added, appended] = ['', ''];
    for (let index = 0; index < mostKeys + 5; index += 1) {
      added = addKeys(added, [keyOf(index)]);
      appended = appendKeys(appended, [keyOf(index), keyOf(index)]);
    }
    expect(appended).toBe(added);
    expect(appendKeys(appended, [keyOf(7), 'short'])).toBe(added);
  });

  it.each([undefined, null, 7, {}, ''])('is nothing in %j', (kept) => {
    expect(holdsKey(kept, keyOf(1))).toBe(false);
    expect(addKeys(kept, [keyOf(1)])).toBe(keyOf(1));
  });

  it('is under way for a while where the sender has gone before the execution was stored', () => {
    const claims = createDeliveryClaims();
    const key = keyOf(1);
    claims.begin(key);
    claims.end(key, false);
    claims.linger(key, 60_000);
    expect([0, 59_999, 60_000].map((nowMs) => claims.look(key, nowMs))).toEqual([
      'under way',
      'under way',
      'free',
    ]);
    claims.end(key, true);
    expect(claims.look(key, 0)).toBe('done');
  });

  it('is bounded in memory too', () => {
    const claims = createDeliveryClaims();
    for (let index = 0; index < mostKeys + 1; index += 1) {
      claims.begin(keyOf(index));
      claims.end(keyOf(index), true);
    }
    expect([0, 1].map((index) => claims.look(keyOf(index), 0))).toEqual(['free', 'done']);
  });
});
