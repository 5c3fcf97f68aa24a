import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { listOperations } from '@aftermeet/contract';
import { createSandbox } from '@aftermeet/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { route } from '../../../nodes/nodes/Aftermeet/actions/router.ts';
import {
  connect,
  type ConnectOptions,
  limitRequests,
  type ServiceClient,
} from '../../../nodes/nodes/Aftermeet/transport/connect.ts';
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

/** Asks with a time that passes by waiting alone; answers how long each wait was. */
function ask(work: (client: ServiceClient) => Promise<unknown>) {
  const context = createNodeContext({ baseUrl });
  const waits: number[] = [];
  const pause = async (ms: number): Promise<void> => {
    waits.push(ms);
  };
  const answer = connect(context.execute, { pause, random: () => 0.5 }).then(work);
  return { answer, waits, requests: context.requests };
}

const getReport = ({ reports }: ServiceClient): Promise<unknown> => reports.get(meetingId);

/** Every write that may not be repeated, and what settles whether it took effect. */
const writes: readonly (readonly [string, (client: ServiceClient) => Promise<unknown>, string])[] = [
  [
    'recordings.start',
    ({ recordings }) => recordings.start({ link: 'https://meet.example.com/x', title: 'Weekly' }),
    'meetings.search',
  ],
  [
    'reports.generate',
    ({ reports }) => reports.generate({ meetingId, templateName: 'team-sync' }),
    'reports.get',
  ],
  ['tags.create', ({ tags }) => tags.create({ name: 'Board' }), 'tags.list'],
];

// Which faults are repeated, and how long the waits are, is tested with the client.

describe('a request that may be repeated', () => {
  it.each([{ kind: 'status', status: 503 }, { kind: 'reset' }, { kind: 'cut' }] as const)(
    'is, after %j',
    async (fault) => {
      sandbox.faults.add({ ...fault, times: 3 });
      const { answer, waits } = ask(getReport);
      expect(await answer).toMatchObject({ ready: true });
      expect(waits).toEqual([250, 500, 1000]);
    },
  );

  it('is given up after four more attempts, as in the client', async () => {
    sandbox.faults.add({ kind: 'status', status: 503, times: null });
    const { answer, requests } = ask(getReport);
    await expect(answer).rejects.toMatchObject({ code: 'server', status: 503 });
    expect(requests).toHaveLength(5);
  });

  it('waits as long as the service asks, up to a minute', async () => {
    sandbox.faults.add({ kind: 'status', status: 429, retry_after_seconds: 60 });
    const { answer, waits } = ask(getReport);
    await answer;
    expect(waits).toEqual([60_250]);
  });

  it('says when an earlier attempt may have done it', async () => {
    sandbox.faults.add({ kind: 'drop_after' });
    sandbox.faults.add({ kind: 'status', status: 404, after: 0 });
    const { answer } = ask(({ recordings }) => recordings.cancel(meetingId));
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
  /** A silent service, in a time that passes by waiting alone; answers how long each attempt and all of it took. */
  async function spend(given: Parameters<typeof limitRequests>[1], usual: ConnectOptions = {}) {
    const silent = await openSilent();
    const { execute, requests } = createNodeContext({ baseUrl: silent.url });
    limitRequests(execute, given);
    const waits: number[] = [];
    const pause = async (ms: number): Promise<void> => void waits.push(ms);
    const { connection, reports } = await connect(execute, { ...usual, pause, random: () => 0.5 });
    const { totalMs, timeoutMs } = connection;
    await expect(reports.get('m_1')).rejects.toMatchObject({ code: 'timeout' });
    silent.close();
    return { totalMs, timeoutMs, attempts: requests.length, waits: waits.length };
  }

  it('is what the author of the workflow says, and no wait goes past it', async () => {
    expect(await spend({ timeoutMs: 300, totalMs: 1000 })).toMatchObject({ attempts: 1, waits: 0 });
    expect(await spend({ timeoutMs: 100, totalMs: 60_000 })).toMatchObject({ attempts: 5, waits: 4 });
  });

  it('is a minute and a half at most, and half a minute for an attempt, where nothing is said', async () => {
    const { execute } = createNodeContext({ baseUrl });
    const { connection } = await connect(execute);
    expect([connection.timeoutMs, connection.totalMs]).toEqual([30_000, 90_000]);
  });

  it('always holds one attempt as long as that may be', async () => {
    const { execute } = createNodeContext({ baseUrl });
    limitRequests(execute, { timeoutMs: 600_000 });
    expect((await connect(execute)).connection.totalMs).toBe(600_000);
    limitRequests(execute, {});
    expect((await connect(execute, { totalMs: 1_800_000 })).connection.totalMs).toBe(1_800_000);
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
    await expect(route(execute, false)).rejects.toThrow(/no answer in/i);
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
    const ids = listOperations().filter(({ repeatable }) => !repeatable);
    expect(ids.map(({ id }) => id)).toEqual(writes.map(([id]) => id));
  });

  const faults = [{ kind: 'status', status: 503 }, { kind: 'reset' }, { kind: 'drop_after' }] as const;
  const cases = writes.flatMap((write) => faults.map((fault) => [write[0], fault, write] as const));

  it.each(cases)(
    '%s after %j is sent once, and its error names what settles it',
    async (_id, fault, write) => {
      sandbox.faults.add(fault);
      const { answer, requests } = ask(write[1]);
      await expect(answer).rejects.toMatchObject({ code: 'ambiguous', verifyWith: { operation: write[2] } });
      expect(requests).toHaveLength(1);
    },
  );

  it('is repeated after a refusal, which surely did nothing', async () => {
    sandbox.faults.add({ kind: 'status', status: 429, retry_after_seconds: 2 });
    const { answer, waits } = ask(({ tags }) => tags.create({ name: 'Refused once' }));
    expect(await answer).toMatchObject({ name: 'Refused once' });
    expect(waits).toEqual([2250]);
  });

  it('is repeated where nothing left this machine', async () => {
    const gone = createSandbox();
    const { url } = await gone.listen();
    await gone.close();
    const context = createNodeContext({ baseUrl: url });
    const options = { pause: async () => {}, random: () => 0 };
    const { tags } = await connect(context.execute, options);
    const answer = tags.create({ name: 'x' });
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
    };
    const { reports } = await connect(context.execute, { pause });
    const answer = reports.get(meetingId);
    await expect(answer).rejects.toMatchObject({ code: 'aborted' });
    expect(context.requests).toHaveLength(1);
  });

  it('ends a request that hangs', async () => {
    const control = new AbortController();
    const context = createNodeContext({ baseUrl, signal: control.signal });
    sandbox.faults.add({ kind: 'hang' });
    const { tags } = await connect(context.execute);
    const answer = tags.create({ name: 'Hanging' });
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
    const { reports } = await connect(context.execute, options);
    const answer = reports.get(meetingId);
    const fault = answer.catch((error: unknown) => error);
    await expect.poll(() => sandbox.faults.list()[0]?.happened).toBe(1);
    control.abort();
    expect(await fault).toMatchObject({ code: 'aborted' });
    expect(context.requests).toHaveLength(1);
  });

  it('allows no further attempt', async () => {
    const control = new AbortController();
    const context = createNodeContext({ baseUrl });
    sandbox.faults.add({ kind: 'status', status: 503, times: null });
    const pause = async (): Promise<void> => control.abort();
    const { reports } = await connect(context.execute, { pause, signal: control.signal });
    await expect(reports.get(meetingId)).rejects.toMatchObject({ code: 'aborted' });
    expect(context.requests).toHaveLength(1);
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
