import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { change, freshBody, genuine, sign, toBytes, toChunkedBytes } from './delivery-text.ts';
import { openHarness, type Harness, refusedBody } from './harness.ts';

const CAP = 2000;

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ maxBodyBytes: CAP });
});
afterAll(() => harness.close());

/** A delivery of exactly so many bytes. */
function bodyOf(bytes: number): Buffer {
  const short = freshBody({ data: { title: '' } });
  return Buffer.from(short.toString().replace('"title":""', `"title":"${'x'.repeat(bytes - short.length)}"`));
}

const tooLarge = { status: 413, body: refusedBody('too_large'), connection: 'open' };

describe('a body', () => {
  it.each([CAP - 1, CAP])('of %i bytes is taken, declared or in chunks', async (size) => {
    for (const send of [toBytes, (text: ReturnType<typeof genuine>) => toChunkedBytes(text, 1, 1000)]) {
      const body = bodyOf(size);
      expect(body).toHaveLength(size);
      expect(await harness.attack(send(genuine(body)), [body])).toMatchObject({
        status: 200,
        connection: 'open',
      });
    }
  });

  it.each([CAP + 1, CAP + 20, 60_000, 900_000])(
    'of %i bytes is 413, declared or in chunks, and the connection goes on behind it',
    async (size) => {
      expect(await harness.attack(toBytes(genuine(bodyOf(size))))).toMatchObject(tooLarge);
      expect(await harness.attack(toChunkedBytes(genuine(bodyOf(size)), 1999))).toMatchObject(tooLarge);
      expect(await harness.attack(toChunkedBytes(genuine(bodyOf(size)), 2000, 1))).toMatchObject(tooLarge);
    },
  );

  it.each<[string, Readonly<Record<string, string | undefined>>, number]>([
    ['is 413', {}, 413],
    ['with another signature is 413', { 'x-service-signature': `sha256=${'0'.repeat(64)}` }, 413],
    ['without a signature is 401', { 'x-service-signature': undefined }, 401],
    ['with a signature of another form is 401', { 'x-service-signature': 'sha256=0' }, 401],
    ['without a timestamp is 401', { 'x-service-timestamp': undefined }, 401],
    ['with an old timestamp is 401', { 'x-service-timestamp': '1600000000' }, 401],
  ])('over the cap %s before it comes', async (_name, headers, status) => {
    const connection = harness.connect();
    connection.send(toBytes(change(genuine(), { 'content-length': '500000000', ...headers }), ''));
    expect(await connection.next()).toMatchObject({ status });
    connection.destroy();
  });

  it('of no declared end is not read for ever: 413, then the end', async () => {
    const connection = harness.connect();
    const text = change(genuine(), { 'content-length': undefined, 'transfer-encoding': 'chunked' });
    connection.send(toBytes(text, ''));
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    for (let count = 0; count < 100; count += 1) connection.send(chunk);
    expect((await connection.rest()).map(({ status }) => status)).toEqual([413]);
  });

  it('within the cap that is cut by its length is 401', async () => {
    const body = bodyOf(CAP);
    const text = change(genuine(body.subarray(0, -1)), { 'x-service-signature': sign(body) });
    expect(await harness.attack(toBytes(text))).toMatchObject({ status: 401, connection: 'open' });
  });
});

describe('the usual cap', () => {
  it('is 256 KiB', async () => {
    const usual = await openHarness();
    const whole = bodyOf(256 * 1024);
    expect(await usual.attack(toBytes(genuine(whole)), [whole])).toMatchObject({ status: 200 });
    expect(await usual.attack(toBytes(genuine(bodyOf(256 * 1024 + 1))))).toMatchObject(tooLarge);
    await usual.close();
  });
});
