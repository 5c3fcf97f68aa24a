import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { brokenFaults, catchFault, type FaultyService, startFaultyService } from './faulty-service.ts';

// A read is repeated until it is answered: a fault that passes is not seen at all.

const operation = 'reports.get: GET /api/video/report';

let service: FaultyService;
let meetingId: string;

beforeAll(async () => {
  service = await startFaultyService();
  meetingId = await service.holdMeeting('Read');
});
afterAll(() => service.close());

describe('a read', () => {
  it.each(brokenFaults)(
    '$name: two of them heal without a word, one more is an error that says what was seen',
    async ({ order, code, said }) => {
      service.plan('reports.get', { ...order, times: 2 });
      const client = service.connect({ retries: 2 });
      expect(await client.reports.get(meetingId)).toMatchObject({ ready: true, report: { title: 'Read' } });
      expect(client.waits).toEqual('retry_after_seconds' in order ? [3500, 3500] : [500, 1000]);
      expect(service.countCalls()).toBe(3);

      service.plan('reports.get', { ...order, times: 3 });
      const error = await catchFault(client.reports.get(meetingId));
      expect(error).toMatchObject({ code, operation: 'reports.get', retryable: true, unsent: false });
      expect(error.message.slice(operation.length + 1)).toMatch(said);
      expect(service.countCalls()).toBe(3);
    },
  );

  it('says how long it should be left alone, and does not wait longer than a minute for that', async () => {
    service.plan('any', { kind: 'status', status: 429, retry_after_seconds: 61, times: null });
    const client = service.connect();
    const error = await catchFault(client.reports.get(meetingId));
    expect([error.code, error.retryAfterMs, client.waits]).toEqual(['rate_limited', 61_000, []]);
  });

  it.each([
    ['hang', { kind: 'hang' }],
    ['drip', { kind: 'drip', ms: 60_000 }],
    ['latency beyond the limit', { kind: 'latency', ms: 60_000 }],
  ] as const)('%s: ends when the time is up, try by try', async (_name, order) => {
    service.plan('any', { ...order, times: null });
    const client = service.connect({ retries: 1, timeoutMs: 40 });
    const error = await catchFault(client.reports.get(meetingId));
    expect(error).toMatchObject({ code: 'timeout', message: `${operation} timeout: no answer in 40 ms` });
    expect(client.waits).toEqual([500]);
  });
});
