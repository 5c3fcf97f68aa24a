import { readWebhookEvent } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { startDelivery } from '../testing/sandbox.ts';
import { describeEvent } from './describe-event.ts';

it("signs every attempt with the machine's time, not the sandbox's", async () => {
  let nowMs = Date.parse('2026-07-07T12:00:00Z');
  const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery(() => 500, {
    clock: () => nowMs,
  });
  await deliver();
  await waitForAttempts(1);
  nowMs += 1000;
  sandbox.clock.advance(6 * 60_000);
  await waitForAttempts(3);
  expect(receiver.arrivals.map(({ headers }) => headers['x-service-timestamp'])).toEqual([
    '1783425600',
    '1783425601',
    '1783425601',
  ]);
});

const nowMs = Date.parse('2026-07-07T12:00:00.789Z');

describe("an event's body", () => {
  it.each([
    ['iso_seconds', '2026-07-07T12:00:00Z'],
    ['iso_millis', '2026-07-07T12:00:00.789Z'],
    ['iso_offset', '2026-07-07T15:00:00+03:00'],
    ['unix_seconds', 1_783_425_600],
    ['unix_millis', 1_783_425_600_789],
  ] as const)('has its time as %s', (eventTimestamp, timestamp) => {
    const options = { eventTimestamp, extraFields: false };
    expect(describeEvent('meeting.renamed', 'm1', { title: 'T' }, nowMs, options)).toEqual({
      event: 'meeting.renamed',
      meeting_id: 'm1',
      timestamp,
      data: { title: 'T' },
    });
  });

  it('may have unknown fields, and is still read', () => {
    const options = { eventTimestamp: 'iso_seconds', extraFields: true } as const;
    const body = describeEvent('meeting.failed', 'm1', { reason: 'R' }, nowMs, options);
    expect(body).toEqual({
      event: 'meeting.failed',
      meeting_id: 'm1',
      timestamp: '2026-07-07T12:00:00Z',
      api_version: '2027-01',
      trace: { hops: [1, 2] },
      data: { reason: 'R', mood: null, files: [] },
    });
    expect(readWebhookEvent(Buffer.from(JSON.stringify(body)))).toMatchObject({
      ok: true,
      event: { data: { reason: 'R' } },
    });
  });
});
