import { describe, expect, it } from 'vitest';

import { executeWaitUntilReady as execute } from '../../../nodes/nodes/Aftermeet/actions/wait-until-ready.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { serve } from './support/serve.ts';

// What is repeated, when, and what ends the wait is tested with the client.

/** A word of the service, or the status of an error. */
type Step = string | number;

const START_MS = Date.parse('2026-11-22T08:00:00Z');

/** A service that answers one step after the other, and the last one for ever, and a time that passes by waiting alone. */
async function play(steps: readonly Step[], parameters: Readonly<Record<string, unknown>> = {}) {
  let nowMs = START_MS;
  const askedAt: number[] = [];
  const baseUrl = await serve((_request, response) => {
    const step = steps[Math.min(askedAt.length, steps.length - 1)] ?? 'new';
    askedAt.push(nowMs - START_MS);
    const [status, text] = typeof step === 'string' ? [200, step] : [step, 'x'];
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
  });
  const control = new AbortController();
  const { execute: context } = createNodeContext({
    baseUrl,
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

  it('says what the service last said where the time is up before it is believed', async () => {
    const { wait } = await play([404], { timeoutMinutes: 0 });
    await expect(wait()).rejects.toMatchObject({ code: 'not_found' });
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
