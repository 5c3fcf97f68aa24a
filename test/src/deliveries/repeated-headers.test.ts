import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  add,
  change,
  type DeliveryText,
  freshBody,
  genuine,
  NOW_SECONDS,
  sign,
  toBytes,
} from './delivery-text.ts';
import { openHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

/** A header in front of all others: the first of two lines. */
const addFirst = (text: DeliveryText, name: string, value: string): DeliveryText => ({
  ...text,
  headers: [[name, value], ...text.headers],
});

describe('a header line that comes twice', () => {
  it.each<[string, (text: DeliveryText, body: Buffer) => DeliveryText, number, 'open' | 'closed']>([
    ['signature, both right', (text, body) => add(text, ['X-Service-Signature', sign(body)]), 401, 'open'],
    ['signature, the second wrong', (text) => add(text, ['x-service-signature', 'sha256=0']), 401, 'open'],
    ['signature, the first wrong', (text) => addFirst(text, 'x-service-signature', 'sha256=0'), 401, 'open'],
    ['signature, the second empty', (text) => add(text, ['x-service-signature', '']), 401, 'open'],
    ['timestamp, both right', (text) => add(text, ['X-Service-Timestamp', NOW_SECONDS]), 401, 'open'],
    ['timestamp, the second wrong', (text) => add(text, ['x-service-timestamp', '1']), 401, 'open'],
    ['timestamp, the first wrong', (text) => addFirst(text, 'x-service-timestamp', '1'), 401, 'open'],
    ['timestamp, the first empty', (text) => addFirst(text, 'x-service-timestamp', ''), 401, 'open'],
    ['event', (text) => add(text, ['X-Service-Event', 'meeting.completed']), 200, 'open'],
    ['event, the second empty', (text) => add(text, ['X-Service-Event', '']), 200, 'open'],
    ['event, of two kinds', (text) => add(text, ['X-Service-Event', 'meeting.failed']), 200, 'open'],
    [
      'content-encoding',
      (text) => add(text, ['Content-Encoding', 'identity'], ['Content-Encoding', 'gzip']),
      415,
      'open',
    ],
    [
      'content-length, equal',
      (text, body) => add(text, ['Content-Length', String(body.length)]),
      400,
      'closed',
    ],
    ['content-length, smaller', (text) => add(text, ['Content-Length', '5']), 400, 'closed'],
    [
      'content-length, as a list',
      (text, body) => change(text, { 'content-length': `${body.length}, ${body.length}` }),
      400,
      'closed',
    ],
    ['host', (text) => add(text, ['Host', 'other.example']), 400, 'closed'],
  ])('%s', async (_name, alter, status, connection) => {
    const body = freshBody();
    expect(
      await harness.attack(toBytes(alter(genuine(body), body)), status === 200 ? [body] : []),
    ).toMatchObject({
      status,
      connection,
    });
  });

  it('delivery: it is not signed, so two of them are ignored', async () => {
    const body = freshBody();
    const text = add(genuine(body), ['X-Service-Delivery', 'd-2']);
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
    const [first] = harness.inbox.asked;
    expect(first?.deliveryKey).toBeUndefined();
    expect(first?.job.deliveryId).toBeUndefined();
  });

  it('content-type: it is not signed, so two of them are ignored', async () => {
    const body = freshBody();
    const other = freshBody();
    for (const [text, sent] of [
      [add(genuine(body), ['Content-Type', 'text/plain']), body],
      [addFirst(genuine(other), 'Content-Type', 'text/plain'), other],
    ] as const) {
      expect(await harness.attack(toBytes(text), [sent])).toMatchObject({ status: 200 });
    }
  });
});
