import { createHmac } from 'node:crypto';

import { readWebhookEvent } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { deliverySecret, startDeliveringSandbox } from '../../testing/start-delivering-sandbox.ts';
import { startPickyReceiver, type Arrival } from '../../testing/start-picky-receiver.ts';
import { createSandbox } from '../create-sandbox.ts';

/** The specification's rule, written out without our own package. */
function expectedSignature({ headers, body }: Arrival): string {
  const timestamp = String(headers['x-service-timestamp']);
  return `sha256=${createHmac('sha256', deliverySecret).update(`${timestamp}.`).update(body).digest('hex')}`;
}

function readBody(arrival: Arrival | undefined): unknown {
  return JSON.parse(arrival?.body.toString() ?? '');
}

describe('a delivery', () => {
  it('carries the signed event of a completed meeting', async () => {
    const receiver = await startPickyReceiver();
    const { sandbox, url, record } = await startDeliveringSandbox();
    const meetingId = await record(receiver.url);
    const finish = sandbox.completeMeeting(meetingId);
    const [arrival] = await receiver.waitFor(1);
    expect(arrival?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'meeting.completed',
      'x-service-timestamp': '1783425600',
      'x-service-delivery': finish?.deliveryId,
      host: new URL(receiver.url).host,
    });
    expect(arrival?.headers['x-service-signature']).toBe(arrival && expectedSignature(arrival));
    expect(readBody(arrival)).toEqual({
      event: 'meeting.completed',
      meeting_id: meetingId,
      timestamp: '2026-07-07T12:00:00Z',
      data: {
        title: 'Планы',
        is_transcript_empty: false,
        report_url: `${url}/api/video/report?meeting_id=${meetingId}`,
      },
    });
    expect(readWebhookEvent(arrival?.body ?? Buffer.of()).ok).toBe(true);
  });

  it('tells that the transcript is empty', async () => {
    const receiver = await startPickyReceiver();
    const { sandbox, record } = await startDeliveringSandbox();
    sandbox.completeMeeting(await record(receiver.url), { isTranscriptEmpty: true });
    const [arrival] = await receiver.waitFor(1);
    expect(readBody(arrival)).toMatchObject({ data: { is_transcript_empty: true } });
  });

  it('carries the reason of a failure, and a later completion of the same meeting', async () => {
    const receiver = await startPickyReceiver();
    const { sandbox, record } = await startDeliveringSandbox();
    const meetingId = await record(receiver.url);
    sandbox.failMeeting(meetingId, { reason: 'The host ended the meeting.' });
    await receiver.waitFor(1);
    sandbox.completeMeeting(meetingId);
    const arrivals = await receiver.waitFor(2);
    expect(arrivals.map(({ headers }) => headers['x-service-event'])).toEqual([
      'meeting.failed',
      'meeting.completed',
    ]);
    expect(readBody(arrivals[0])).toEqual({
      event: 'meeting.failed',
      meeting_id: meetingId,
      timestamp: '2026-07-07T12:00:00Z',
      data: { title: 'Планы', is_transcript_empty: true, reason: 'The host ended the meeting.' },
    });
    expect(readBody(arrivals[1])).toMatchObject({
      meeting_id: meetingId,
      data: { is_transcript_empty: false },
    });
    expect(arrivals[0]?.headers['x-service-delivery']).not.toBe(arrivals[1]?.headers['x-service-delivery']);
  });

  it('has no signature without a secret, and none is sent without an address', async () => {
    const receiver = await startPickyReceiver();
    const { sandbox, record, deliver } = await startDeliveringSandbox();
    await deliver(receiver.url, { webhook_secret: undefined });
    const [arrival] = await receiver.waitFor(1);
    expect(arrival?.headers['x-service-signature']).toBeUndefined();
    expect(arrival?.headers['x-service-timestamp']).toBe('1783425600');
    const silent = await record(undefined);
    expect(sandbox.completeMeeting(silent)).toEqual({ meetingId: silent, status: 'new' });
    expect(sandbox.deliveries()).toHaveLength(1);
  });

  it('uses the configured header prefix', async () => {
    const receiver = await startPickyReceiver();
    const { deliver } = await startDeliveringSandbox({ headerPrefix: 'X-Acme' });
    await deliver(receiver.url);
    const [arrival] = await receiver.waitFor(1);
    expect(arrival?.headers['x-acme-event']).toBe('meeting.completed');
    expect(() => createSandbox({ headerPrefix: 'X Acme:' })).toThrow(RangeError);
  });

  it('has the time and the fields that the knobs give it, and is signed over them', async () => {
    const receiver = await startPickyReceiver();
    const knobs = { eventTimestamp: 'unix_millis', eventExtraFields: true } as const;
    const { deliver } = await startDeliveringSandbox({ knobs });
    await deliver(receiver.url);
    const [arrival] = await receiver.waitFor(1);
    expect(readBody(arrival)).toMatchObject({
      timestamp: 1_783_425_600_000,
      api_version: '2027-01',
      data: { title: 'Планы', mood: null },
    });
    expect(arrival?.headers['x-service-signature']).toBe(arrival && expectedSignature(arrival));
  });
});
