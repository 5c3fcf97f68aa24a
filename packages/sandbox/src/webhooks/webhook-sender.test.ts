import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';

import { readWebhookEvent } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import type { Arrival } from '../testing/receiver.ts';
import { deliverySecret, startDeliveringSandbox, startDelivery } from '../testing/sandbox.ts';

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
    const { receiver, sandbox, url, record } = await startDelivery();
    const meetingId = await record();
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

  it('carries the reason of a failure, and a later completion of the same meeting', async () => {
    const { receiver, sandbox, record } = await startDelivery();
    const meetingId = await record();
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
    const { receiver, sandbox, record, deliver } = await startDelivery();
    await deliver({ webhook_secret: undefined });
    const [arrival] = await receiver.waitFor(1);
    expect(arrival?.headers['x-service-signature']).toBeUndefined();
    expect(arrival?.headers['x-service-timestamp']).toBe('1783425600');
    const silent = await record({ webhook_url: undefined });
    expect(sandbox.completeMeeting(silent)).toEqual({ meetingId: silent, status: 'new' });
    expect(sandbox.deliveries()).toHaveLength(1);
  });

  it('has the time and the fields that the options give it, and is signed over them', async () => {
    const options = { eventTimestamp: 'unix_millis', extraFields: true } as const;
    const { receiver, deliver } = await startDelivery(() => 200, { options });
    await deliver();
    const [arrival] = await receiver.waitFor(1);
    expect(readBody(arrival)).toMatchObject({ timestamp: 1_783_425_600_000, data: { mood: null } });
    expect(arrival?.headers['x-service-signature']).toBe(arrival && expectedSignature(arrival));
  });
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe('the retry schedule', () => {
  it.each([500, 503, 408, 429, 'cut' as const])('comes again after %s', async (first) => {
    const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery((number) =>
      number === 1 ? first : 200,
    );
    await deliver();
    await waitForAttempts(1);
    sandbox.clock.advance(minuteMs);
    await waitForAttempts(2);
    expect(sandbox.deliveries()).toMatchObject([
      {
        state: 'delivered',
        attempts: [
          first === 'cut' ? { error: 'ECONNRESET' } : { status: first },
          { status: 200, at: '2026-07-07T12:01:00.000Z' },
        ],
      },
    ]);
    expect(receiver.arrivals[0]?.body).toEqual(receiver.arrivals[1]?.body);
  });

  it.each([400, 401, 404, 413, 'redirect' as const])('ends at once after %s', async (answer) => {
    const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery(() => answer);
    await deliver();
    await waitForAttempts(1);
    sandbox.clock.advance(24 * hourMs);
    const [delivery] = sandbox.deliveries();
    expect(delivery).toMatchObject({
      state: 'given_up',
      attempts: [{ status: answer === 'redirect' ? 307 : answer }],
    });
    expect(delivery?.nextAttemptAt).toBeUndefined();
    expect(receiver.arrivals).toHaveLength(1);
  });

  it('is the observed one, also for a clock that was advanced by hours at once', async () => {
    const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery(() => 500);
    await deliver();
    await waitForAttempts(1);
    expect(sandbox.deliveries()).toMatchObject([
      { state: 'waiting', nextAttemptAt: '2026-07-07T12:01:00.000Z' },
    ]);
    sandbox.clock.advance(5 * hourMs);
    await waitForAttempts(6);
    const [delivery] = sandbox.deliveries();
    expect(delivery?.state).toBe('given_up');
    expect(delivery?.attempts.map(({ at }) => at.slice(11, 19))).toEqual([
      '12:00:00',
      '12:01:00',
      '12:06:00',
      '12:21:00',
      '13:21:00',
      '16:21:00',
    ]);
    expect(receiver.arrivals).toHaveLength(6);
  });

  it('names a timeout and comes again, and names the failure of a connection', async () => {
    const slow = await startDelivery(() => 'hang', { deliveryTimeoutMs: 50 });
    await slow.deliver();
    await slow.waitForAttempts(1);
    expect(slow.sandbox.deliveries()).toMatchObject([
      { state: 'waiting', attempts: [{ error: 'timeout' }], nextAttemptAt: '2026-07-07T12:01:00.000Z' },
    ]);
    const gone = await startDelivery(() => 200, { retryDelaysMs: [] });
    await gone.receiver.close();
    await gone.deliver();
    await gone.waitForAttempts(1);
    expect(gone.sandbox.deliveries()).toMatchObject([
      { state: 'given_up', attempts: [{ error: 'ECONNREFUSED' }] },
    ]);
  });

  it('sends nothing to another machine unless allowed', async () => {
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    await deliver('https://hooks.example.com/a');
    await deliver('http://localhost.evil.example/a');
    await deliver('http://[2001:db8::1]/a');
    await waitForAttempts(3);
    const refused = {
      state: 'given_up',
      attempts: [
        { error: 'not sent: the receiver is not a loopback address, and allowRemoteReceivers is off' },
      ],
    };
    expect(sandbox.deliveries()).toMatchObject([refused, refused, refused]);
  });
});

describe('delivering again on demand', () => {
  it('keeps the id and starts the schedule anew', async () => {
    const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery((number) =>
      number === 1 ? 400 : number === 2 ? 500 : 200,
    );
    const id = await deliver();
    await waitForAttempts(1);
    expect(sandbox.redeliver(id)).toBe(true);
    await waitForAttempts(2);
    sandbox.clock.advance(minuteMs);
    await waitForAttempts(3);
    expect(receiver.arrivals.map(({ headers }) => headers['x-service-delivery'])).toEqual([id, id, id]);
    expect(sandbox.deliveries()).toMatchObject([
      { state: 'delivered', attempts: [{ status: 400 }, { status: 500 }, { status: 200 }] },
    ]);
    expect(sandbox.redeliver('unknown')).toBe(false);
  });

  it('follows its own schedule, with any outcome of an earlier attempt', async () => {
    const open: Socket[] = [];
    const { receiver, sandbox, deliver, waitForAttempts } = await startDelivery((number, { socket }) => {
      if (number > 2) return 200;
      open.push(socket);
      return 'hang';
    });
    const id = await deliver();
    await receiver.waitFor(1);
    sandbox.redeliver(id);
    await receiver.waitFor(2);
    open[0]?.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
    await waitForAttempts(1);
    expect(sandbox.deliveries()).toMatchObject([{ state: 'waiting', attempts: [{ status: 200 }] }]);
    open[1]?.end('HTTP/1.1 503 No\r\nConnection: close\r\n\r\n');
    await waitForAttempts(2);
    expect(sandbox.deliveries()).toMatchObject([{ nextAttemptAt: '2026-07-07T12:01:00.000Z' }]);
    sandbox.clock.advance(minuteMs);
    await waitForAttempts(3);
    expect(sandbox.deliveries()).toMatchObject([
      { state: 'delivered', attempts: [{ status: 200 }, { status: 503 }, { status: 200 }] },
    ]);
    expect(receiver.arrivals).toHaveLength(3);
  });
});
