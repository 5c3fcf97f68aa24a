// Which faults are repeated, how long the waits are and what settles a write is tested with the client.
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
  it.each([
    [{ kind: 'status', status: 503, times: 3 }, [250, 500, 1000]],
    [{ kind: 'reset', times: 3 }, [250, 500, 1000]],
    [{ kind: 'cut', times: 3 }, [250, 500, 1000]],
    // As long as the service asks, up to a minute.
    [{ kind: 'status', status: 429, retry_after_seconds: 60 }, [60_250]],
  ] as const)('is, after %j, when %j ms have passed', async (fault, expected) => {
    sandbox.faults.add(fault);
    const { answer, waits } = ask(getReport);
    expect(await answer).toMatchObject({ ready: true });
    expect(waits).toEqual(expected);
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

  it.each<[string, Parameters<typeof limitRequests>[1], ConnectOptions, number, number]>([
    ['half a minute for an attempt, three times that in all, where nothing is said', {}, {}, 30_000, 90_000],
    ['in all as long as one attempt, where that is longer', { timeoutMs: 600_000 }, {}, 600_000, 600_000],
    ['what its caller says', {}, { totalMs: 1_800_000 }, 30_000, 1_800_000],
  ])('is %s', async (_name, given, options, timeoutMs, totalMs) => {
    const { execute } = createNodeContext({ baseUrl: shared.url });
    limitRequests(execute, given);
    expect((await connect(execute, options)).connection).toMatchObject({ timeoutMs, totalMs });
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

// A write that may have taken effect is sent once: failures.test.ts and mcp.test.ts.
describe('a write that may not be repeated', () => {
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
  function open() {
    const control = new AbortController();
    const [given, options] = give(control.signal);
    return { control, options, ...createNodeContext({ baseUrl: shared.url, ...given }) };
  }

  it('ends a wait between two attempts, and allows no further one', async () => {
    const { control, options, execute, requests } = open();
    sandbox.faults.add({ kind: 'status', status: 503, times: null });
    const pause = async (): Promise<void> => control.abort(new Error('cancelled by hand'));
    const client = await connect(execute, { ...options, pause });
    await expect(getReport(client)).rejects.toMatchObject({ code: 'aborted' });
    expect(requests).toHaveLength(1);
  });

  it('ends a request that hangs', async () => {
    const { control, options, execute, requests } = open();
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
