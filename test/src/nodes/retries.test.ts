// Which faults are repeated, how long the waits are and what settles a write is tested with the client.
import { listOperations } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { route } from '../../../nodes/nodes/Aftermeet/actions/router.ts';
import {
  connect,
  type ConnectOptions,
  limitRequests,
  type ServiceClient,
} from '../../../nodes/nodes/Aftermeet/transport/connect.ts';
import { fetchReport } from '../../../nodes/nodes/AftermeetTrigger/fetch-report.ts';
import { findFreePort } from '../support/free-port.ts';
import { createNodeContext, type NodeContextOptions } from './support/n8n-context.ts';
import { serve, shareSandbox } from './support/serve.ts';

const shared = shareSandbox();
const { sandbox } = shared;

/** Asks with a time that passes by waiting alone; answers how long each wait was. */
function ask(work: (client: ServiceClient) => Promise<unknown>, baseUrl = shared.url) {
  const context = createNodeContext({ baseUrl });
  const waits: number[] = [];
  const pause = async (ms: number): Promise<void> => void waits.push(ms);
  const answer = connect(context.execute, { pause, random: () => 0.5 }).then(work);
  return { answer, waits, requests: context.requests };
}

const getReport = ({ reports }: ServiceClient): Promise<unknown> => reports.get(shared.meetingId);
const createTag = ({ tags }: ServiceClient): Promise<unknown> => tags.create({ name: 'Board' });

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
});

/** A service that accepts connections and says nothing. */
const serveSilence = (): Promise<string> => serve(() => {});

describe('the time of a request', () => {
  /** Asks a silent service, in a time that passes by waiting alone; answers how often it was asked and waited for. */
  async function spend(given: Parameters<typeof limitRequests>[1]) {
    const { execute, requests } = createNodeContext({ baseUrl: await serveSilence() });
    limitRequests(execute, given);
    const waits: number[] = [];
    const pause = async (ms: number): Promise<void> => void waits.push(ms);
    const { reports } = await connect(execute, { pause, random: () => 0.5 });
    await expect(reports.get('m_1')).rejects.toMatchObject({ code: 'timeout' });
    return { attempts: requests.length, waits: waits.length };
  }

  it('is what the author of the workflow says, and no wait goes past it', async () => {
    expect(await spend({ timeoutMs: 300, totalMs: 1000 })).toEqual({ attempts: 1, waits: 0 });
    expect(await spend({ timeoutMs: 100, totalMs: 60_000 })).toEqual({ attempts: 5, waits: 4 });
  });

  it('is a minute and a half at most, and half a minute for an attempt, where nothing is said', async () => {
    const { connection } = await connect(createNodeContext({ baseUrl: shared.url }).execute);
    expect([connection.timeoutMs, connection.totalMs]).toEqual([30_000, 90_000]);
  });

  it('always holds one attempt as long as that may be', async () => {
    const { execute } = createNodeContext({ baseUrl: shared.url });
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
  ])('can be limited for every operation: %s %s', async (resource, operation, given) => {
    const baseUrl = await serveSilence();
    const requestOptions = { timeout: 1, totalRetryTime: 1 };
    const parameters = { resource, operation, ...given, requestOptions };
    const { execute, requests } = createNodeContext({ baseUrl, mcpUrl: baseUrl, parameters });
    await expect(route(execute, false)).rejects.toThrow(/no answer in/i);
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  it.each([0, -1, 'soon', 3601])('is refused where it is %j', async (timeout) => {
    const parameters = { resource: 'tag', operation: 'list', requestOptions: { timeout } };
    const { execute, requests } = createNodeContext({ baseUrl: shared.url, parameters });
    await expect(route(execute, false)).rejects.toThrow('Timeout (Seconds) must be 1 to 3600');
    expect(requests).toEqual([]);
  });
});

describe('a write that may not be repeated', () => {
  const writes: readonly [string, (client: ServiceClient) => Promise<unknown>, string][] = [
    [
      'recordings.start',
      ({ recordings }) => recordings.start({ link: 'https://meet.example.com/x', title: 'Weekly' }),
      'meetings.search',
    ],
    [
      'reports.generate',
      ({ reports }) => reports.generate({ meetingId: shared.meetingId, templateName: 'team-sync' }),
      'reports.get',
    ],
    ['tags.create', createTag, 'tags.list'],
  ];

  it('is one of these', () => {
    const ids = listOperations().filter(({ repeatable }) => !repeatable);
    expect(ids.map(({ id }) => id)).toEqual(writes.map(([id]) => id));
  });

  it.each(writes)('%s is sent once, and its error names what settles it', async (_id, write, operation) => {
    sandbox.faults.add({ kind: 'drop_after' });
    const { answer, requests } = ask(write);
    await expect(answer).rejects.toMatchObject({ code: 'ambiguous', verifyWith: { operation } });
    expect(requests).toHaveLength(1);
  });

  it('is repeated where nothing left this machine', async () => {
    const { answer, requests } = ask(createTag, `http://127.0.0.1:${await findFreePort()}`);
    await expect(answer).rejects.toMatchObject({ code: 'connection', unsent: true });
    expect(requests).toHaveLength(5);
  });
});

describe.each<[string, (signal: AbortSignal) => readonly [NodeContextOptions, ConnectOptions]]>([
  ['a cancelled execution', (signal) => [{ signal }, {}]],
  ['the signal of a caller', (signal) => [{}, { signal }]],
])('%s', (_name, give) => {
  it('ends a wait between two attempts, and allows no further one', async () => {
    const control = new AbortController();
    const [given, options] = give(control.signal);
    const { execute, requests } = createNodeContext({ baseUrl: shared.url, ...given });
    sandbox.faults.add({ kind: 'status', status: 503, times: null });
    const pause = async (): Promise<void> => control.abort(new Error('cancelled by hand'));
    const client = await connect(execute, { ...options, pause });
    await expect(getReport(client)).rejects.toMatchObject({ code: 'aborted' });
    expect(requests).toHaveLength(1);
  });

  it('ends a request that hangs', async () => {
    const control = new AbortController();
    const [given, options] = give(control.signal);
    const { execute, requests } = createNodeContext({ baseUrl: shared.url, ...given });
    sandbox.faults.add({ kind: 'hang' });
    const fault = createTag(await connect(execute, options)).catch((error: unknown) => error);
    await expect.poll(() => sandbox.faults.list()[0]?.happened).toBe(1);
    control.abort();
    expect(await fault).toMatchObject({ code: 'aborted', mayHaveTakenEffect: true });
    expect(requests).toHaveLength(1);
  });
});

it('a report whose time is up is no longer waited for: its request is ended', async () => {
  let close: (() => void) | undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const baseUrl = await serve((_request, response) => response.once('close', () => close?.()));
  const { execute } = createNodeContext({ baseUrl });
  expect(await fetchReport(execute, 'm_1', { withinMs: 500 })).toEqual({
    ok: false,
    error: 'The report did not come within 0.5 seconds',
  });
  await closed;
});
