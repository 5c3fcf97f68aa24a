import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { change, freshBody, genuine, NOW_SECONDS, sign, toBytes } from './delivery-text.ts';
import { acceptedBody, openHouse, type ReceiverHouse, refusedBody } from './receiver-house.ts';

let house: ReceiverHouse;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

/** A delivery whose timestamp stands so on the wire; signed over the text that is named, or over that one. */
function withTimestamp(body: Buffer, onWire: string, signed = onWire): Buffer {
  return toBytes(
    change(genuine(body), { 'x-service-timestamp': onWire, 'x-service-signature': sign(body, signed) }),
  );
}

describe('a timestamp', () => {
  // Bytes above 0x7f stand as latin1, as Node gives them.
  it.each([
    ['with a plus sign', `+${NOW_SECONDS}`],
    ['with a minus sign', `-${NOW_SECONDS}`],
    ['with a leading zero', `0${NOW_SECONDS}`],
    ['with a fraction', `${NOW_SECONDS}.0`],
    ['with a dot at its end', `${NOW_SECONDS}.`],
    ['with an exponent', `${NOW_SECONDS}e0`],
    ['in scientific form', '1.7834256e9'],
    ['in hex', '0x6a4cea40'],
    ['in octal', '0o15223165100'],
    ['in milliseconds', `${NOW_SECONDS}000`],
    ['of twelve digits', '178342560000'],
    ['with a blank inside', '17834 25600'],
    ['with a tab inside', '17834\t25600'],
    ['with letters behind', `${NOW_SECONDS}abc`],
    ['with a bigint suffix', `${NOW_SECONDS}n`],
    ['twice in one line', `${NOW_SECONDS}, ${NOW_SECONDS}`],
    ['twice in one line without a blank', `${NOW_SECONDS},${NOW_SECONDS}`],
    ['with a comma behind', `${NOW_SECONDS},`],
    ['with underscores', '1_783_425_600'],
    ['in quotes', `"${NOW_SECONDS}"`],
    ['as an ISO date', '2026-07-07T12:00:00Z'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['zero', '0'],
    ['null', 'null'],
    ['in full-width digits', '\u00ef\u00bc\u0091\u00ef\u00bc\u0097'],
    ['in Arabic digits', '\u00d9\u00a1\u00d9\u00a7\u00d9\u00a8'],
    ['with a no-break blank behind', `${NOW_SECONDS}\u00a0`],
    ['with a no-break blank in UTF-8 behind', `${NOW_SECONDS}\u00c2\u00a0`],
    ['with a superscript digit', `178342560\u00b2`],
  ])('%s is 401 although it is signed so', async (_form, text) => {
    expect(await house.attack(withTimestamp(freshBody(), text))).toMatchObject({
      status: 401,
      body: refusedBody('unauthorized'),
      connection: 'open',
    });
  });

  it('that is empty is 401 although nothing is what was signed', async () => {
    expect(await house.attack(withTimestamp(freshBody(), ''))).toMatchObject({ status: 401 });
  });

  it.each([
    ['a NUL behind', `${NOW_SECONDS}\0`],
    ['a NUL in front', `\0${NOW_SECONDS}`],
    ['a carriage return inside', '17834\r25600'],
    ['a bell inside', '17834\u000725600'],
    ['a delete behind', `${NOW_SECONDS}\u007f`],
  ])('with %s is no HTTP, or refused', async (_form, text) => {
    const { status, connection } = await house.attack(withTimestamp(freshBody(), text));
    expect([status, connection]).toEqual([400, 'closed']);
  });

  // HTTP takes the blanks around a value away (RFC 9110, 5.5): they are not part of what was signed.
  it.each([
    ['blanks in front', `   ${NOW_SECONDS}`],
    ['blanks behind', `${NOW_SECONDS}   `],
    ['tabs around it', `\t${NOW_SECONDS}\t`],
  ])('with %s is the timestamp without them', async (_form, text) => {
    const body = freshBody();
    expect(await house.attack(withTimestamp(body, text, NOW_SECONDS), [body])).toMatchObject({
      status: 200,
      body: acceptedBody(body),
    });
    expect(await house.attack(withTimestamp(freshBody(), text))).toMatchObject({ status: 401 });
  });

  it.each([
    ['300 seconds old', '1783425300', 200],
    ['301 seconds old', '1783425299', 401],
    ['300 seconds ahead', '1783425900', 200],
    ['301 seconds ahead', '1783425901', 401],
    ['a day ahead', '1783512000', 401],
    ['fifty years ahead', '3360225600', 401],
    ['of the last second of eleven digits', '99999999999', 401],
    ['of 1970', '1', 401],
  ])('%s is answered %3$i', async (_form, text, status) => {
    const body = freshBody();
    expect(await house.attack(withTimestamp(body, text), [body])).toMatchObject({ status });
    expect(house.inbox.bodies().includes(body.toString())).toBe(status === 200);
  });

  it('is compared with the clock to the millisecond', async () => {
    for (const [nowMs, status] of [
      [1_783_425_900_000, 200],
      [1_783_425_900_001, 401],
      [1_783_425_300_000, 200],
      [1_783_425_299_999, 401],
    ] as const) {
      const other = await openHouse({ nowMs: () => nowMs });
      const connection = other.connect();
      connection.send(toBytes(genuine()));
      expect((await connection.next())?.status).toBe(status);
      await other.close();
    }
  });

  it('of a tolerance of none is only this second', async () => {
    const strict = await openHouse({ toleranceSeconds: 0 });
    for (const [text, status] of [
      [NOW_SECONDS, 200],
      ['1783425599', 401],
      ['1783425601', 401],
    ] as const) {
      const connection = strict.connect();
      connection.send(withTimestamp(freshBody(), text));
      expect((await connection.next())?.status).toBe(status);
    }
    await strict.close();
  });
});
