import { readWebhookEvent } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { type Arrival, startPickyReceiver } from '../testing/receiver.ts';
import { startDeliveringSandbox } from '../testing/sandbox.ts';
import { describeAnyEvent } from './describe-event.ts';

describe('signing', () => {
  const minuteMs = 60_000;
  const startMs = Date.parse('2026-07-07T12:00:00Z');

  const readStamp = ({ headers }: Arrival) => [
    headers['x-service-timestamp'],
    headers['x-service-signature'],
  ];

  describe('with signing anew', () => {
    it("every attempt carries the machine's time, not the sandbox's", async () => {
      let nowMs = startMs;
      const receiver = await startPickyReceiver(() => 500);
      const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox({ clock: () => nowMs });
      await deliver(receiver.url);
      await waitForAttempts(1);
      nowMs += 1000;
      sandbox.clock.advance(6 * minuteMs);
      await waitForAttempts(3);
      expect(receiver.arrivals.map(({ headers }) => headers['x-service-timestamp'])).toEqual([
        '1783425600',
        '1783425601',
        '1783425601',
      ]);
    });
  });

  describe('without signing anew', () => {
    it("repeats the first stamp byte for byte while the sandbox's time runs like the machine's", async () => {
      let nowMs = startMs;
      const receiver = await startPickyReceiver((number) => (number === 3 ? 200 : 500));
      const { deliver, waitForAttempts } = await startDeliveringSandbox({
        clock: () => nowMs,
        resign: false,
        retryDelaysMs: [1, 2],
        // Time that passes for both.
        observe: () => {
          nowMs += 1700;
        },
      });
      await deliver(receiver.url);
      await waitForAttempts(3);
      const [first, ...others] = receiver.arrivals.map(readStamp);
      expect(others).toEqual([first, first]);
    });

    it('looks as old as it would be when the clock was moved on', async () => {
      const receiver = await startPickyReceiver(() => 500);
      const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox({ resign: false });
      await deliver(receiver.url);
      await waitForAttempts(1);
      sandbox.clock.advance(24 * 60 * minuteMs);
      await waitForAttempts(6);
      expect(
        receiver.arrivals.map(({ headers }) => 1_783_425_600 - Number(headers['x-service-timestamp'])),
      ).toEqual([0, 60, 360, 1260, 4860, 15_660]);
    });

    it('signs again when the delivery is requested again', async () => {
      const receiver = await startPickyReceiver(() => 500);
      const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox({ resign: false });
      const id = await deliver(receiver.url);
      await waitForAttempts(1);
      sandbox.clock.advance(3 * minuteMs);
      await waitForAttempts(2);
      sandbox.redeliver(id);
      await waitForAttempts(3);
      expect(receiver.arrivals.map(({ headers }) => headers['x-service-timestamp'])).toEqual([
        '1783425600',
        '1783425540',
        '1783425600',
      ]);
    });
  });
});

describe('the body', () => {
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
      expect(describeAnyEvent('meeting.renamed', 'm1', { title: 'T' }, nowMs, options)).toEqual({
        event: 'meeting.renamed',
        meeting_id: 'm1',
        timestamp,
        data: { title: 'T' },
      });
    });

    it('may have unknown fields, and is still read', () => {
      const options = { eventTimestamp: 'iso_seconds', extraFields: true } as const;
      const body = describeAnyEvent('meeting.failed', 'm1', { reason: 'R' }, nowMs, options);
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
});
