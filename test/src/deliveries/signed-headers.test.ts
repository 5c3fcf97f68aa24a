import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { change, freshBody, genuine, NOW_SECONDS, sign, toBytes } from './delivery-text.ts';
import { acceptedBody, openHarness, type Harness, refusedBody } from './harness.ts';

// What the wire adds to the forms that the tests of `verifyDelivery` list.

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

function withTimestamp(body: Buffer, onWire: string, signed = onWire): Buffer {
  return toBytes(
    change(genuine(body), { 'x-service-timestamp': onWire, 'x-service-signature': sign(body, signed) }),
  );
}

describe('a timestamp header', () => {
  // Bytes above 0x7f are written as latin1, as Node reads them.
  it.each([
    ['empty', ''],
    ['of full-width digits', '\u00ef\u00bc\u0091\u00ef\u00bc\u0097'],
    ['with a no-break space behind', `${NOW_SECONDS}\u00a0`],
    ['with a no-break space in UTF-8 behind', `${NOW_SECONDS}\u00c2\u00a0`],
    ['with a superscript digit', '178342560\u00b2'],
    ['twice in one line', `${NOW_SECONDS}, ${NOW_SECONDS}`],
    ['301 seconds old', '1783425299'],
    ['301 seconds ahead', '1783425901'],
  ])('%s is 401 although it is what was signed', async (_form, text) => {
    expect(await harness.attack(withTimestamp(freshBody(), text))).toMatchObject({
      status: 401,
      body: refusedBody('unauthorized'),
      connection: 'open',
    });
  });

  it.each([
    ['a NUL', `${NOW_SECONDS}\0`],
    ['a carriage return', '17834\r25600'],
    ['a bell', '17834\u000725600'],
    ['a delete', `${NOW_SECONDS}\u007f`],
  ])('with %s is 400', async (_form, text) => {
    const { status, connection } = await harness.attack(withTimestamp(freshBody(), text));
    expect([status, connection]).toEqual([400, 'closed']);
  });

  // HTTP strips blanks around a value (RFC 9110, 5.5), so they are not part of what was signed.
  it.each([
    ['blanks', `   ${NOW_SECONDS}   `],
    ['tabs', `\t${NOW_SECONDS}\t`],
  ])('with %s around it is the timestamp without them', async (_form, text) => {
    const body = freshBody();
    expect(await harness.attack(withTimestamp(body, text, NOW_SECONDS), [body])).toMatchObject({
      status: 200,
      body: acceptedBody(body),
    });
    expect(await harness.attack(withTimestamp(freshBody(), text))).toMatchObject({ status: 401 });
  });
});

describe('a signature header', () => {
  it.each<[string, (body: Buffer) => string | undefined]>([
    ['that is missing', () => undefined],
    ['that is empty', () => ''],
    ['twice in one line', (body) => `${sign(body)}, ${sign(body)}`],
    ['with a high byte behind', (body) => `${sign(body)}\u00a0`],
    ['by another secret', (body) => sign(body, NOW_SECONDS, 'other-secret-0123456789')],
  ])('%s is 401', async (_form, signatureOf) => {
    const body = freshBody();
    const text = change(genuine(body), { 'x-service-signature': signatureOf(body) });
    expect(await harness.attack(toBytes(text))).toMatchObject({
      status: 401,
      body: refusedBody('unauthorized'),
      connection: 'open',
    });
  });
});
