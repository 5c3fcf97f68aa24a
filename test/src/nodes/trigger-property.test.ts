import {
  deliveryHeaderNames,
  readStandardSigningKey,
  signDelivery,
  signStandardWebhook,
} from '@aftermeet/webhooks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { matchTitle } from '../../../nodes/nodes/AftermeetTrigger/filters.ts';
import type { DeliveryFacts } from '../../../nodes/nodes/AftermeetTrigger/read-delivery.ts';
import { decideDelivery } from '../../../nodes/nodes/AftermeetTrigger/receive-delivery.ts';
import { describeRefusal } from '../../../nodes/nodes/AftermeetTrigger/refusal.ts';
import type { DeliverySettings } from '../../../nodes/nodes/AftermeetTrigger/settings.ts';
import { writeEvent } from './support/trigger-harness.ts';

const names = deliveryHeaderNames('x-service');
const settings: DeliverySettings = {
  signedBy: 'service',
  secrets: ['p7wq-Zk42-mD9x-Lr61', 'b3vn-Tq85-cH2s-Yw07'],
  headerNames: {
    event: names.event.toLowerCase(),
    signature: names.signature.toLowerCase(),
    timestamp: names.timestamp.toLowerCase(),
    delivery: names.delivery.toLowerCase(),
  },
  toleranceSeconds: 300,
  filters: {
    events: ['meeting.completed', 'meeting.failed', 'other'],
    title: '',
    sources: [],
    emptyTranscript: 'pass',
  },
};
const nowMs = 1_780_000_000_000;
const refused = { status: 401, body: { status: 'refused', reason: 'unauthorized' } };

type Signer = 'service' | 'receiver';
const signer = fc.constantFrom<Signer>('service', 'receiver');
/** A genuine delivery, signed `ageSeconds` ago. */
function deliver(signedBy: Signer, secret: string, text: string, ageSeconds = 0): DeliveryFacts {
  const body = Buffer.from(text);
  if (signedBy === 'service') {
    const timestampSeconds = nowMs / 1000 - ageSeconds;
    const { signature, timestamp } = signDelivery({ secret, timestampSeconds, body });
    return { body, headers: { 'x-service-signature': [signature], 'x-service-timestamp': [timestamp] } };
  }
  const keys = [readStandardSigningKey(secret)].filter((key) => key !== undefined);
  const signed = signStandardWebhook({ id: 'e1', sentAtMs: nowMs - ageSeconds * 1000, body: text }, keys);
  return {
    body,
    headers: Object.fromEntries(Object.entries(signed).map(([name, value]) => [name, [value]])),
  };
}

/** One of the signed ones. */
function pickHeader(headers: DeliveryFacts['headers'], which: number): { name: string; value: string } {
  const signed = Object.keys(headers);
  const name = signed[which % signed.length] ?? '';
  return { name, value: headers[name]?.[0] ?? '' };
}

function write(signedBy: Signer, event: Readonly<Record<string, unknown>>): string {
  return signedBy === 'service'
    ? JSON.stringify(event)
    : JSON.stringify({ ...event, data: { meeting_id: 'm_1' } });
}

// That any changed character of a signed header is noticed is tested with @aftermeet/webhooks.
describe('a delivery', () => {
  it('is refused whatever byte of its body was changed, taken away or put in', () => {
    fc.assert(
      fc.property(
        signer,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('change', 'drop', 'add'),
        (signedBy, at, change, how) => {
          const { body, headers } = deliver(signedBy, settings.secrets[0] ?? '', writeEvent({ type: 'x' }));
          const index = at % body.length;
          const bytes = [...body];
          if (how === 'change') bytes[index] = (bytes[index] ?? 0) ^ change;
          else bytes.splice(index, how === 'drop' ? 1 : 0, ...(how === 'add' ? [change] : []));
          expect(
            decideDelivery({ body: Buffer.from(bytes), headers }, { ...settings, signedBy }, nowMs),
          ).toMatchObject(refused);
        },
      ),
    );
  });

  it('is refused when a signed header is doubled, missing or empty', () => {
    fc.assert(
      fc.property(
        signer,
        fc.nat(),
        fc.constantFrom('doubled', 'missing', 'empty'),
        (signedBy, which, how) => {
          const { body, headers } = deliver(signedBy, settings.secrets[0] ?? '', writeEvent({ type: 'x' }));
          const { name, value } = pickHeader(headers, which);
          const put = { doubled: [value, value], missing: undefined, empty: [''] }[how];
          expect(
            decideDelivery({ body, headers: { ...headers, [name]: put } }, { ...settings, signedBy }, nowMs),
          ).toMatchObject(refused);
        },
      ),
    );
  });

  it('is refused outside of the tolerance, in both directions, and taken within', () => {
    fc.assert(
      fc.property(
        signer,
        fc.integer({ min: -1000, max: 1000 }),
        fc.nat(1000),
        (signedBy, ageSeconds, toleranceSeconds) => {
          const delivery = deliver(
            signedBy,
            settings.secrets[0] ?? '',
            write(signedBy, JSON.parse(writeEvent({ type: 'x' }))),
            ageSeconds,
          );
          const { status } = decideDelivery(delivery, { ...settings, signedBy, toleranceSeconds }, nowMs);
          expect(status).toBe(Math.abs(ageSeconds) <= toleranceSeconds ? 200 : 401);
        },
      ),
    );
  });

  it('of any bytes and headers is refused and never thrown at', () => {
    const lines = fc.option(fc.array(fc.string(), { maxLength: 2 }), { nil: undefined });
    const headers = fc.record({
      'x-service-signature': lines,
      'x-service-timestamp': lines,
      'webhook-id': lines,
      'webhook-timestamp': lines,
      'webhook-signature': lines,
    });
    fc.assert(
      fc.property(signer, fc.uint8Array(), headers, (signedBy, body, given) => {
        const all = { ...settings, signedBy };
        const decision = decideDelivery({ body, headers: given }, all, nowMs);
        expect(decision).toMatchObject(refused);
        const { refusal = 'other_sender' } = decision;
        const { message, advice } = describeRefusal(refusal, { body, headers: given }, all, nowMs);
        // Nothing of what came, however it is shaped: only names of headers and a number of seconds.
        expect(message).toMatch(/^[A-Z][\w ,:'-]+$/);
        expect(advice).toMatch(/^[A-Z][\w ,:'.-]+\.$/);
      }),
    );
  });

  it('that is genuine is accepted or malformed, whatever its bytes say', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const decision = decideDelivery(deliver('service', settings.secrets[0] ?? '', text), settings, nowMs);
        expect([200, 400]).toContain(decision.status);
      }),
    );
  });
});

describe('a title', () => {
  it('fits a pattern as a regular expression would have it', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'é'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(letters, pattern, (title, wanted) => {
        const marks = Array.from(wanted)
          .map((mark) => ({ '*': '.*', '?': '.', '.': String.raw`\.` })[mark] ?? mark)
          .join('');
        const expected = /[*?]/.test(wanted)
          ? new RegExp(`^${marks}$`, 'su').test(title)
          : title.includes(wanted);
        expect(matchTitle(title, wanted)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
