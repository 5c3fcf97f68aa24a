import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { executeWaitUntilReady as execute } from '../../../nodes/nodes/Aftermeet/actions/wait-until-ready.ts';
import { createNodeContext } from './support/n8n-context.ts';

type Step = string | readonly [status: number, retryAfter?: string];

const START_MS = Date.parse('2026-11-22T08:00:00Z');
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A service that answers one step after the other, and the last one for ever, and a time that passes by waiting alone. */
async function play(steps: readonly Step[], parameters: Readonly<Record<string, unknown>> = {}) {
  let nowMs = START_MS;
  const askedAt: number[] = [];
  const server = createServer((_request, response) => {
    const step = steps[Math.min(askedAt.length, steps.length - 1)] ?? 'new';
    askedAt.push(nowMs - START_MS);
    const [status, retryAfter] = typeof step === 'string' ? [200] : step;
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    response.writeHead(status, { 'content-type': 'text/plain' }).end(typeof step === 'string' ? step : 'x');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => server.close());
  const control = new AbortController();
  const { execute: context } = createNodeContext({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    parameters: { meetingId: 'm_1', timeoutMinutes: 60, whenNotReady: 'error', ...parameters },
    signal: control.signal,
  });
  const wait = (pause?: (ms: number) => Promise<void>) =>
    execute(context, 0, {
      clock: () => nowMs,
      random: () => 0,
      async pause(ms) {
        nowMs += ms;
        await pause?.(ms);
      },
    });
  return { wait, askedAt, control };
}

describe('Wait Until Ready', () => {
  it.each(['new', 'processed'])('ends at %s, asking less and less often', async (word) => {
    const { wait, askedAt } = await play(['queued', 'recording', 'processing', 'who knows', word]);
    expect(await wait()).toEqual([
      { json: { meeting_id: 'm_1', ready: true, phase: 'ready', status: word } },
    ]);
    expect(askedAt).toEqual([0, 2000, 5000, 9500, 16_250]);
  });

  it.each([
    ['failed', 'The processing of the meeting failed (status: failed)'],
    ['cancelled', 'The recording was cancelled'],
  ])('fails at once when the meeting has %s', async (word, message) => {
    const { wait, askedAt } = await play(['recording', word]);
    await expect(wait()).rejects.toMatchObject({ name: 'NodeOperationError', message });
    expect(askedAt).toHaveLength(2);
  });

  it.each([
    ['failed', { phase: 'failed', status: 'failed' }],
    ['recording', { phase: 'recording', status: 'recording' }],
  ])('returns an item for one that has %s where that is wanted', async (word, state) => {
    const { wait } = await play([word], { whenNotReady: 'item', timeoutMinutes: 1 });
    expect(await wait()).toEqual([{ json: { meeting_id: 'm_1', ready: false, ...state } }]);
  });

  it('asks once more at the deadline, and then says how far the meeting is', async () => {
    const { wait, askedAt } = await play(['processing'], { timeoutMinutes: 1 });
    await expect(wait()).rejects.toMatchObject({
      message: 'The meeting is not ready after 1 minutes (status: processing)',
      description: expect.stringContaining('Aftermeet trigger'),
    });
    expect(askedAt.at(-1)).toBe(60_000);
  });

  it('asks once where there is no time', async () => {
    const { wait, askedAt } = await play(['processing'], { timeoutMinutes: 0, whenNotReady: 'item' });
    expect(await wait()).toMatchObject([{ json: { ready: false } }]);
    expect(askedAt).toEqual([0]);
  });

  it('goes on after faults that pass, and obeys a Retry-After', async () => {
    const { wait, askedAt } = await play([[503], [429, '50'], [404], 'new']);
    await expect(wait()).rejects.toMatchObject({ code: 'not_found' });
    expect(askedAt).toEqual([0, 2000, 52_000]);
    const other = await play([[404], [503, '20'], 'new']);
    await other.wait();
    expect(other.askedAt).toEqual([0, 2000, 22_000]);
  });

  it('does not believe at first that there is no such meeting', async () => {
    const { wait, askedAt } = await play([[404]]);
    await expect(wait()).rejects.toMatchObject({ code: 'not_found', status: 404 });
    expect(askedAt).toEqual([0, 2000, 5000, 9500, 16_250]);
  });

  it('says what the service last said where the time is up before it is believed', async () => {
    const { wait } = await play([[404]], { timeoutMinutes: 0 });
    await expect(wait()).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([[401], [400]] as const)('ends at once at %i', async (status) => {
    const { wait, askedAt } = await play([[status]]);
    await expect(wait()).rejects.toMatchObject({ status });
    expect(askedAt).toHaveLength(1);
  });

  it('ends when the execution is cancelled', async () => {
    const { wait, askedAt, control } = await play(['recording']);
    const cancelled = wait(async () => {
      control.abort();
      control.signal.throwIfAborted();
    });
    await expect(cancelled).rejects.toMatchObject({ code: 'aborted' });
    expect(askedAt).toHaveLength(1);
  });

  it.each(['soon', -1, Number.NaN])('refuses a timeout of %s', async (timeoutMinutes) => {
    const { wait, askedAt } = await play(['new'], { timeoutMinutes });
    await expect(wait()).rejects.toThrow('Timeout (Minutes) must be a number from 0 up');
    expect(askedAt).toEqual([]);
  });
});
