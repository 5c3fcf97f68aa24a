import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ServiceError } from '@aftermeet/client/pure';
import { createSandbox } from '@aftermeet/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { route } from '../../../nodes/nodes/Aftermeet/actions/router.ts';
import { limitRequests } from '../../../nodes/nodes/Aftermeet/transport/request-limits.ts';
import { repeatAttempt, sendOperation } from '../../../nodes/nodes/Aftermeet/transport/request.ts';
import type { WireFields } from '../../../nodes/nodes/Aftermeet/wire/build-wire-request.ts';
import { type WireOperationId, wireOperations } from '../../../nodes/nodes/Aftermeet/wire/wire-operations.ts';
import { fetchReport } from '../../../nodes/nodes/AftermeetTrigger/fetch-report.ts';
import { createNodeContext } from './support/n8n-context.ts';

const sandbox = createSandbox({ seed: 1 });
let baseUrl = '';
let meetingId = '';
beforeAll(async () => {
  baseUrl = (await sandbox.listen()).url;
  meetingId = sandbox.seed({ meetings: 1, languages: ['en'], days: 1 }).meetingIds[0] ?? '';
});
afterEach(() => {
  sandbox.faults.reset();
});
afterAll(() => sandbox.close());

/** Sends with a time that passes by waiting alone; answers how long each wait was. */
function send(id: WireOperationId, fields: WireFields) {
  const context = createNodeContext({ baseUrl });
  const waits: number[] = [];
  const pause = async (ms: number): Promise<void> => {
    waits.push(ms);
  };
  const answer = sendOperation(context.execute, id, fields, { pause, random: () => 0.5 });
  return { answer, waits, requests: context.requests };
}

/** The least fields of every write that may not be repeated. */
const writes: readonly (readonly [WireOperationId, () => WireFields, string])[] = [
  ['recordings.start', () => ({ link: 'https://meet.example.com/x', title: 'Weekly' }), 'meetings.search'],
  ['reports.generate', () => ({ meeting_id: meetingId, template_name: 'team-sync' }), 'reports.get'],
  ['tags.create', () => ({ name: 'Board' }), 'tags.list'],
];

describe('a request that may be repeated', () => {
  it.each([
    [{ kind: 'status', status: 500 }],
    [{ kind: 'status', status: 503 }],
    [{ kind: 'status', status: 408 }],
    [{ kind: 'status', status: 425 }],
    [{ kind: 'reset' }],
    [{ kind: 'empty' }],
    [{ kind: 'garbage' }],
    [{ kind: 'drop_after' }],
    [{ kind: 'cut' }],
  ] as const)('is, after %j', async (fault) => {
    sandbox.faults.add({ ...fault, times: 3 });
    const { answer, waits } = send('reports.get', { meeting_id: meetingId });
    expect(await answer).toMatchObject({ status: 200 });
    expect(waits).toEqual([250, 500, 1000]);
  });

  it('is given up after four more attempts, as in the client', async () => {
    sandbox.faults.add({ kind: 'status', status: 503, times: null });
    const { answer, requests } = send('reports.get', { meeting_id: meetingId });
    await expect(answer).rejects.toMatchObject({ code: 'server', status: 503 });
    expect(requests).toHaveLength(5);
  });

  it('waits as long as the service asks, up to a minute', async () => {
    sandbox.faults.add({ kind: 'status', status: 429, retry_after_seconds: 60 });
    const { answer, waits } = send('reports.get', { meeting_id: meetingId });
    await answer;
    expect(waits).toEqual([60_250]);
  });

  it('is left to the workflow where the service asks for more', async () => {
    sandbox.faults.add({ kind: 'status', status: 429, retry_after_seconds: 61 });
    const { answer, waits } = send('reports.get', { meeting_id: meetingId });
    await expect(answer).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 61_000 });
    expect(waits).toEqual([]);
  });

  it.each([400, 401, 402, 403, 404, 409])('is not, after %i', async (status) => {
    sandbox.faults.add({ kind: 'status', status });
    const { answer, requests } = send('reports.get', { meeting_id: meetingId });
    await expect(answer).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it('says when an earlier attempt may have done it', async () => {
    sandbox.faults.add({ kind: 'drop_after' });
    sandbox.faults.add({ kind: 'status', status: 404, after: 0 });
    const { answer } = send('recordings.cancel', { meeting_id: meetingId });
    await expect(answer).rejects.toMatchObject({
      code: 'not_found',
      checkWith: 'recordings.status',
    });
  });
});

/** A service that accepts connections and says nothing. */
async function openSilent(): Promise<{ readonly url: string; readonly close: () => void }> {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  const { port } = silent.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      silent.close();
      silent.closeAllConnections();
    },
  };
}

describe('the time of a request', () => {
  const failing = new ServiceError({ code: 'server', operation: 'reports.get', status: 503 });

  /** Attempts that fail after so long; answers how much time each one had. */
  async function spend(lastsMs: number, given: Parameters<typeof limitRequests>[1], totalMs?: number) {
    const { execute } = createNodeContext({ baseUrl });
    limitRequests(execute, given);
    let nowMs = 0;
    const left: number[] = [];
    const attempt = async (leftMs: number): Promise<never> => {
      left.push(leftMs);
      nowMs += Math.min(lastsMs, leftMs);
      throw failing;
    };
    const pause = async (ms: number): Promise<void> => void (nowMs += ms);
    const options = { pause, random: () => 0.5, clock: () => nowMs, ...(totalMs && { totalMs }) };
    await expect(repeatAttempt(execute, attempt, options)).rejects.toBe(failing);
    return { left, tookMs: nowMs };
  }

  it('is a minute and a half at most, with all attempts and waits: no 152 seconds', async () => {
    expect(await spend(30_000, {})).toEqual({ left: [90_000, 59_750, 29_250], tookMs: 90_000 });
  });

  it('is what the author of the workflow says, and no wait goes past it', async () => {
    expect(await spend(2000, { totalMs: 5000 })).toEqual({ left: [5000, 2750], tookMs: 4250 });
    expect((await spend(100_000, { totalMs: 10_000 })).tookMs).toBe(10_000);
  });

  it('always holds one attempt as long as that may be', async () => {
    expect((await spend(1, { timeoutMs: 600_000 })).left[0]).toBe(600_000);
    expect((await spend(1, {}, 1_800_000)).left[0]).toBe(1_800_000);
  });

  it.each([
    ['recording', 'status', { meetingId: 'm_1' }],
    ['meeting', 'search', {}],
    ['report', 'get', { meetingId: 'm_1' }],
    ['export', 'download', { meetingId: 'm_1', format: 'pdf', binaryPropertyName: 'data' }],
    ['mcp', 'listTools', {}],
  ])('can be limited for every operation: %s %s', async (resource, operation, parameters) => {
    const silent = await openSilent();
    const requestOptions = { timeout: 1, totalRetryTime: 1 };
    const { execute, requests } = createNodeContext({
      baseUrl: silent.url,
      mcpUrl: silent.url,
      parameters: { resource, operation, ...parameters, requestOptions },
    });
    await expect(route(execute, false)).rejects.toThrow(/no answer in|no whole answer in/i);
    expect(requests.length).toBeLessThanOrEqual(1);
    silent.close();
  });

  it.each([0, -1, 'soon', 3601])('is refused where it is %j', async (timeout) => {
    const parameters = { resource: 'tag', operation: 'list', requestOptions: { timeout } };
    const { execute, requests } = createNodeContext({ baseUrl, parameters });
    await expect(route(execute, false)).rejects.toThrow('Timeout (Seconds) must be 1 to 3600');
    expect(requests).toEqual([]);
  });
});

describe('a write that may not be repeated', () => {
  it('is one of these', () => {
    const ids = Object.values(wireOperations).filter(({ repeatable }) => !repeatable);
    expect(ids.map(({ id }) => id)).toEqual(writes.map(([id]) => id));
  });

  const faults = [
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503 },
    { kind: 'status', status: 408 },
    { kind: 'reset' },
    { kind: 'empty' },
    { kind: 'garbage' },
    { kind: 'drop_after' },
    { kind: 'cut' },
  ] as const;
  const cases = writes.flatMap((write) => faults.map((fault) => [write[0], fault, write] as const));

  it.each(cases)(
    '%s after %j is sent once, and its error names what settles it',
    async (id, fault, write) => {
      sandbox.faults.add(fault);
      const { answer, requests } = send(id, write[1]());
      await expect(answer).rejects.toMatchObject({ code: 'ambiguous', verifyWith: { operation: write[2] } });
      expect(requests).toHaveLength(1);
    },
  );

  it('is repeated after a refusal, which surely did nothing', async () => {
    sandbox.faults.add({ kind: 'status', status: 429, retry_after_seconds: 2 });
    const { answer, waits } = send('tags.create', { name: 'Refused once' });
    expect(await answer).toMatchObject({ status: 201 });
    expect(waits).toEqual([2250]);
  });

  it('is repeated where nothing left this machine', async () => {
    const gone = createSandbox();
    const { url } = await gone.listen();
    await gone.close();
    const context = createNodeContext({ baseUrl: url });
    const options = { pause: async () => {}, random: () => 0 };
    const answer = sendOperation(context.execute, 'tags.create', { name: 'x' }, options);
    await expect(answer).rejects.toMatchObject({ code: 'connection', unsent: true });
    expect(context.requests).toHaveLength(5);
  });
});

describe('a cancelled execution', () => {
  it('ends a wait between two attempts', async () => {
    const control = new AbortController();
    const context = createNodeContext({ baseUrl, signal: control.signal });
    sandbox.faults.add({ kind: 'status', status: 503, times: null });
    const pause = async (): Promise<void> => {
      control.abort(new Error('cancelled by hand'));
      control.signal.throwIfAborted();
    };
    const answer = sendOperation(context.execute, 'reports.get', { meeting_id: meetingId }, { pause });
    await expect(answer).rejects.toMatchObject({ code: 'aborted' });
    expect(context.requests).toHaveLength(1);
  });

  it('ends a request that hangs', async () => {
    const control = new AbortController();
    const context = createNodeContext({ baseUrl, signal: control.signal });
    sandbox.faults.add({ kind: 'hang' });
    const answer = sendOperation(context.execute, 'tags.create', { name: 'Hanging' });
    const fault = answer.catch((error: unknown) => error);
    await expect.poll(() => sandbox.faults.list()[0]?.happened).toBe(1);
    control.abort();
    expect(await fault).toMatchObject({ code: 'aborted', mayHaveTakenEffect: true });
  });
});

describe('the signal of a caller', () => {
  it('ends a request that hangs', async () => {
    const control = new AbortController();
    const context = createNodeContext({ baseUrl });
    sandbox.faults.add({ kind: 'hang' });
    const options = { signal: control.signal };
    const answer = sendOperation(context.execute, 'reports.get', { meeting_id: meetingId }, options);
    const fault = answer.catch((error: unknown) => error);
    await expect.poll(() => sandbox.faults.list()[0]?.happened).toBe(1);
    control.abort();
    expect(await fault).toMatchObject({ code: 'aborted' });
    expect(context.requests).toHaveLength(1);
  });

  it('allows no further attempt', async () => {
    const control = new AbortController();
    const { execute } = createNodeContext({ baseUrl });
    let attempts = 0;
    const attempt = async (): Promise<never> => {
      attempts += 1;
      throw new ServiceError({ code: 'server', operation: 'reports.get', status: 503 });
    };
    const pause = async (): Promise<void> => control.abort();
    const answer = repeatAttempt(execute, attempt, { pause, signal: control.signal });
    await expect(answer).rejects.toThrow();
    expect(attempts).toBe(1);
  });
});

describe('a report whose time is up', () => {
  it('is no longer waited for: its request is ended', async () => {
    let close: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const silent = createServer((_request, response) => response.once('close', () => close?.()));
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const { port } = silent.address() as AddressInfo;
    const arrived = once(silent, 'request');
    const { execute } = createNodeContext({ baseUrl: `http://127.0.0.1:${port}` });
    const fetched = fetchReport(execute, 'm_1', { withinMs: 500 });
    await arrived;
    expect(await fetched).toEqual({ ok: false, error: 'The report did not come within 0.5 seconds' });
    await closed;
    silent.close();
  });
});
