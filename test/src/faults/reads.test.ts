import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  brokenFaults,
  catchFault,
  type FaultyService,
  startFaultyService,
  type WatchedClient,
} from './faulty-service.ts';

// A read is repeated until it is answered: a fault that passes is not seen at all.

let service: FaultyService;
let meetingId: string;

beforeAll(async () => {
  service = await startFaultyService();
  meetingId = await service.holdMeeting('Read');
});
afterAll(() => service.close());

async function findFirst(client: WatchedClient): Promise<unknown> {
  for await (const page of client.meetings.search({ q: 'Read' })) return page;
  return undefined;
}

const reads = {
  'recordings.status': {
    operation: 'recordings.status: GET /api/meeting/status',
    read: (client: WatchedClient) => client.recordings.status(meetingId),
    right: { phase: 'ready' },
  },
  'reports.get': {
    operation: 'reports.get: GET /api/video/report',
    read: (client: WatchedClient) => client.reports.get(meetingId),
    right: { ready: true, report: { meetingId: expect.any(String) as string, title: 'Read' } },
  },
  'meetings.search': {
    operation: 'meetings.search: GET /api/workspaces/active/meetings/search',
    read: findFirst,
    right: { total: 1, items: [{ title: 'Read' }] },
  },
} as const;

describe.each(Object.entries(reads))('%s', (id, { operation, read, right }) => {
  it.each(brokenFaults)('$name: two of them heal without a word', async ({ order }) => {
    service.plan(id, { ...order, times: 2 });
    const client = service.connect();
    expect(await read(client)).toMatchObject(right);
    expect(client.waits).toEqual('retry_after_seconds' in order ? [3500, 3500] : [500, 1000]);
    expect(service.countCalls()).toBe(3);
  });

  it.each(brokenFaults)(
    '$name: one more than the retries is an error that says what was seen',
    async (fault) => {
      service.plan(id, { ...fault.order, times: null });
      const error = await catchFault(read(service.connect({ retries: 2 })));
      expect(error).toMatchObject({ code: fault.code, operation: id, retryable: true, unsent: false });
      expect(error.message.slice(operation.length + 1)).toMatch(fault.said);
      expect(service.countCalls()).toBe(3);
    },
  );
});

describe('every read', () => {
  it('says how long it should be left alone, and does not wait longer than a minute for that', async () => {
    service.plan('any', { kind: 'status', status: 429, retry_after_seconds: 61, times: null });
    for (const { read } of Object.values(reads)) {
      const client = service.connect();
      const error = await catchFault(read(client));
      expect([error.code, error.retryAfterMs, client.waits]).toEqual(['rate_limited', 61_000, []]);
    }
  });

  it('does not see latency within the limit', async () => {
    service.plan('any', { kind: 'latency', ms: 3, times: null });
    const client = service.connect();
    for (const { read, right } of Object.values(reads)) expect(await read(client)).toMatchObject(right);
    expect(client.waits).toEqual([]);
  });

  it.each([
    ['hang', { kind: 'hang' }],
    ['drip', { kind: 'drip', ms: 60_000 }],
    ['latency beyond the limit', { kind: 'latency', ms: 60_000 }],
  ] as const)('%s: ends when the time is up, try by try', async (_name, order) => {
    service.plan('any', { ...order, times: null });
    const check = async ({ operation, read }: (typeof reads)[keyof typeof reads]): Promise<void> => {
      const client = service.connect({ retries: 1, timeoutMs: 40 });
      const error = await catchFault(read(client));
      expect(error).toMatchObject({ code: 'timeout', message: `${operation} timeout: no answer in 40 ms` });
      expect(client.waits).toEqual([500]);
    };
    await Promise.all(Object.values(reads).map(check));
  });
});
