import { describe, expect, it } from 'vitest';

import type { RecordingStatus } from './client.ts';
import type { ServiceError } from './errors.ts';
import { catchFault } from './testing/catch-fault.ts';
import { createFakeTime, FAKE_START_MS } from './testing/fake-time.ts';
import { makeConnection } from './testing/make-connection.ts';
import { waitUntilReady } from './wait.ts';

type Step = string | number | Error | readonly [status: number, retryAfter: string];

/** A service that answers one step after the other, and the last one for ever. */
function play(...steps: readonly Step[]) {
  const time = createFakeTime();
  const askedAt: number[] = [];
  const connection = makeConnection('http://127.0.0.1:9', {
    ...time,
    random: () => 0,
    retries: 4,
    fetch: async () => {
      const step = steps[Math.min(askedAt.length, steps.length - 1)] ?? 'new';
      askedAt.push(time.clock() - FAKE_START_MS);
      if (step instanceof Error) throw step;
      if (typeof step === 'string') return new Response(step);
      const [status, retryAfter] = typeof step === 'number' ? [step, undefined] : step;
      return new Response('x', {
        status,
        headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
      });
    },
  });
  return { connection, time, askedAt };
}

describe('waitUntilReady', () => {
  it.each([
    ['new', 'ready'],
    ['processed', 'ready'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
  ])('ends at `%s`', async (status, phase) => {
    const { connection, askedAt } = play('scheduled', 'joining', 'recording', 'queued', 'who knows', status);
    const seen: RecordingStatus[] = [];
    const state = await waitUntilReady(connection, 'm', { onStatus: (at) => seen.push(at) });
    expect(state).toEqual({ phase, status });
    expect(seen.map((at) => at.phase)).toEqual([
      'scheduled',
      'joining',
      'recording',
      'processing',
      'unknown',
      phase,
    ]);
    expect(askedAt).toEqual([0, 2000, 5000, 9500, 16_250, 26_375]);
  });

  it('asks every half a minute at last, a little earlier by chance', async () => {
    const steps = Array.from({ length: 12 }, () => 'processing');
    const plain = play(...steps, 'new');
    await waitUntilReady(plain.connection, 'm');
    expect(plain.time.waits.slice(-3)).toEqual([30_000, 30_000, 30_000]);
    const early = play(...steps, 'new');
    await waitUntilReady({ ...early.connection, random: () => 1 }, 'm');
    expect(early.time.waits.slice(0, 2)).toEqual([1600, 2400]);
    expect(early.time.waits.slice(-1)).toEqual([24_000]);
  });

  it('asks one last time at the deadline, and sleeps no longer', async () => {
    const { connection, askedAt } = play('processing');
    const deadline = FAKE_START_MS + 6000;
    const error = await catchFault(waitUntilReady(connection, 'm', { deadline }));
    expect(error).toMatchObject({ code: 'timeout', detail: 'still processing at the deadline' });
    expect(askedAt).toEqual([0, 2000, 5000, 6000]);
    const late = play('processing', 'processing', 'processing', 'new');
    expect(await waitUntilReady(late.connection, 'm', { deadline })).toMatchObject({ phase: 'ready' });
    const past = play('processing');
    expect(
      await catchFault(waitUntilReady(past.connection, 'm', { deadline: FAKE_START_MS - 1 })),
    ).toMatchObject({
      code: 'timeout',
    });
    expect(past.askedAt).toEqual([0]);
  });

  it('is patient for an hour by default, and refuses a deadline that is no time', async () => {
    const { connection, askedAt } = play('processing');
    expect((await catchFault(waitUntilReady(connection, 'm'))).code).toBe('timeout');
    expect(askedAt.at(-1)).toBe(3_600_000);
    const refused = await catchFault(waitUntilReady(connection, 'm', { deadline: Number.NaN }));
    expect(refused.code).toBe('bad_request');
  });

  it('obeys Retry-After, of errors and of answers, up to the deadline', async () => {
    const { connection, askedAt } = play([503, '20'], [202, '7'], [429, '3600'], 'processing');
    const deadline = FAKE_START_MS + 60_000;
    await catchFault(waitUntilReady(connection, 'm', { deadline }));
    expect(askedAt).toEqual([0, 20_000, 27_000, 60_000]);
  });

  it('sits out faults that may pass', async () => {
    const reset = new TypeError('fetch failed', {
      cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }),
    });
    const { connection, askedAt } = play(500, reset, 408, 425, 'new');
    expect(await waitUntilReady(connection, 'm')).toMatchObject({ phase: 'ready' });
    expect(askedAt).toEqual([0, 2000, 5000, 9500, 16_250]);
    const down = play(502);
    const error = await catchFault(waitUntilReady(down.connection, 'm', { deadline: FAKE_START_MS + 5000 }));
    expect(error).toMatchObject({ code: 'timeout', cause: { code: 'server', status: 502 } });
  });

  const refused = new TypeError('fetch failed', {
    cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
  });

  it('ends after a minute where nobody ever answered', async () => {
    const { connection, askedAt } = play(refused);
    const faults: string[] = [];
    const error = await catchFault(
      waitUntilReady(connection, 'm', { onFault: (at) => faults.push(at.code) }),
    );
    expect(error).toMatchObject({ code: 'connection', detail: 'ECONNREFUSED', unsent: true });
    expect(askedAt).toEqual([0, 2000, 5000, 9500, 16_250, 26_375, 41_563, 64_345]);
    expect(faults).toEqual(Array.from({ length: 7 }, () => 'connection'));
  });

  it('gives up an address that shows nothing but web pages for ten seconds, and says why', async () => {
    const { connection, askedAt } = play('<html>Hello');
    expect(await catchFault(waitUntilReady(connection, 'm'))).toMatchObject({
      code: 'unreadable',
      detail: 'the answer is a web page',
    });
    expect(askedAt).toEqual([0, 2000, 5000, 9500, 16_250]);
    const restarting = play('<html>Back soon', 'processing', '<html>Back soon', '{"status": "pro', 'new');
    expect(await waitUntilReady(restarting.connection, 'm')).toMatchObject({ phase: 'ready' });
  });

  it.each([503, 'processing'])(
    'sits out an hour of silence once there was an answer (%s)',
    async (answer) => {
      const { connection, askedAt } = play(refused, answer, refused);
      expect(await catchFault(waitUntilReady(connection, 'm'))).toMatchObject({
        code: 'timeout',
        cause: { code: 'connection' },
      });
      expect(askedAt.at(-1)).toBe(3_600_000);
    },
  );

  it('tells of every fault that may pass, and of no other', async () => {
    const { connection } = play(404, 500, 'processing', 429, 'new');
    const faults: unknown[] = [];
    await waitUntilReady(connection, 'm', { onFault: ({ status }) => faults.push(status) });
    expect(faults).toEqual([404, 500, 429]);
    const none: unknown[] = [];
    const onFault = (error: ServiceError): void => void none.push(error);
    await catchFault(waitUntilReady(play(403).connection, 'm', { onFault }));
    await catchFault(waitUntilReady(play(500).connection, 'm', { onFault, deadline: FAKE_START_MS }));
    expect(none).toEqual([]);
  });

  it.each([400, 401, 402, 403, 409, 302])('ends at once at %d', async (status) => {
    const { connection, askedAt } = play(status);
    expect(await catchFault(waitUntilReady(connection, 'm'))).toMatchObject({ status });
    expect(askedAt).toEqual([0]);
  });

  it('believes a 404 only after ten seconds', async () => {
    const late = play(404, 404, 'recording', 'new');
    expect(await waitUntilReady(late.connection, 'm')).toMatchObject({ phase: 'ready' });
    const never = play(404);
    expect(await catchFault(waitUntilReady(never.connection, 'm'))).toMatchObject({ code: 'not_found' });
    expect(never.askedAt).toEqual([0, 2000, 5000, 9500, 16_250]);
    const deleted = play('recording', 'recording', 'recording', 'recording', 'recording', 404);
    expect(await catchFault(waitUntilReady(deleted.connection, 'm'))).toMatchObject({ code: 'not_found' });
  });

  it('ends at once when it is aborted within a wait', async () => {
    const { connection } = play('processing');
    const controller = new AbortController();
    const wait = async (_ms: number, signal?: AbortSignal): Promise<void> => {
      controller.abort();
      signal?.throwIfAborted();
    };
    const { signal } = controller;
    const waiting = waitUntilReady({ ...connection, wait }, 'm', { signal });
    expect(await catchFault(waiting)).toMatchObject({ code: 'aborted' });
    const deaf = waitUntilReady({ ...connection, wait: async () => {} }, 'm', { signal });
    expect(await catchFault(deaf)).toMatchObject({ code: 'aborted' });
  });

  it('leaves an error of the caller’s own function alone', async () => {
    const { connection } = play('processing');
    const onStatus = (): never => {
      throw new RangeError('mine');
    };
    await expect(waitUntilReady(connection, 'm', { onStatus })).rejects.toThrow('mine');
  });
});
