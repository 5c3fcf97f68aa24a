import type { Endpoint } from '@aftermeet/receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { add, change, freshBody, genuine, NOW_SECONDS, SECRET, sign, toBytes } from './delivery-text.ts';
import { acceptedBody, openHarness, type Harness, refusedBody } from './harness.ts';

// Derived with Python's hmac from the master secret below.
const MASTER = 'master-secret-0123456789';
const SALES_K1 = '2c3271a7df83c98f44d8e26afa2c08625f2eed62a86413d4eb172d9c76e63a81';
const CAPABILITY = 'm_1.370ae0f96c3a04147376394f8438fe32';
const SECRET_OF_CAPABILITY = '3c2b7f7075e2e60476ecec35314774be9200a572c8808797a7b6daff4ea70961';

const endpoints: readonly [string, Endpoint][] = [
  ['default', { secrets: [SECRET] }],
  ['sales', { secrets: [] }],
  ['uploads', { secrets: [SECRET], unsigned: 'accept' }],
  ['closed', { secrets: [SECRET] }],
];

let harness: Harness;
let withoutMaster: Harness;
beforeAll(async () => {
  harness = await openHarness({ endpoints: { byName: new Map(endpoints), masterSecret: MASTER } });
  withoutMaster = await openHarness({ endpoints: { byName: new Map(endpoints) } });
});
afterAll(async () => {
  await harness.close();
  await withoutMaster.close();
});

const signed = (body: Buffer, target: string, secret: string) =>
  change(genuine(body, target), { 'x-service-signature': sign(body, NOW_SECONDS, secret) });

/** As a service sends it that was given no secret. */
const unsigned = (body: Buffer, target: string) =>
  change(genuine(body, target), { 'x-service-signature': undefined, 'x-service-timestamp': undefined });

describe('an address with a key', () => {
  it('has a secret of its own, and the key is kept', async () => {
    const body = freshBody();
    expect(await harness.attack(toBytes(signed(body, '/hooks/sales/k1', SALES_K1)), [body])).toMatchObject({
      status: 200,
      body: acceptedBody(body, 'sales/k1'),
    });
    expect(harness.inbox.asked[0]?.job).toMatchObject({ endpoint: 'sales', key: 'k1' });
    expect(harness.inbox.asked[0]?.job.isUnsigned).toBeUndefined();
  });

  it.each([
    ['another key', '/hooks/sales/k2', SALES_K1, 401],
    ['the key in another case', '/hooks/sales/K1', SALES_K1, 401],
    ['another endpoint', '/hooks/closed/k1', SALES_K1, 401],
    ['the secret of the endpoint', '/hooks/default/k1', SECRET, 401],
    ['the master secret', '/hooks/sales/k1', MASTER, 401],
    ['no key where the endpoint has no secret', '/hooks/sales', SALES_K1, 404],
    ['an empty key', '/hooks/sales//', SALES_K1, 404],
    ['a key that is no name', '/hooks/sales/%6b1', SALES_K1, 404],
    ['a prototype key', '/hooks/sales/__proto__', SALES_K1, 404],
    ['an endpoint that is not there', '/hooks/unknown/k1', SALES_K1, 404],
  ])('is refused with %s', async (_what, target, secret, status) => {
    expect(await harness.attack(toBytes(signed(freshBody(), target, secret)))).toMatchObject({ status });
  });

  it('is none without a master secret', async () => {
    const bytes = toBytes(signed(freshBody(), '/hooks/sales/k1', SALES_K1));
    expect(await withoutMaster.attack(bytes)).toMatchObject({
      status: 404,
      body: refusedBody('unknown_endpoint'),
    });
  });
});

describe('an unsigned delivery', () => {
  it('is accepted at a capability address, where the endpoint accepts unsigned ones', async () => {
    const body = freshBody();
    const text = unsigned(body, `/hooks/uploads/${CAPABILITY}`);
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
    const [stored] = harness.inbox.asked;
    expect(stored?.job).toMatchObject({ endpoint: 'uploads', key: CAPABILITY, isUnsigned: true });
    expect(stored?.job.body).toBe(body.toString());
  });

  it('never takes the place of the signed one', async () => {
    const body = freshBody();
    const connection = harness.connect();
    connection.send(toBytes(unsigned(body, `/hooks/uploads/${CAPABILITY}`)));
    connection.send(toBytes(signed(body, `/hooks/uploads/${CAPABILITY}`, SECRET_OF_CAPABILITY)));
    const answers = [await connection.next(), await connection.next()].map((answer) => answer?.body ?? '');
    expect(answers.map((answer) => answer.slice(0, 20))).toEqual([
      '{"status":"accepted"',
      '{"status":"accepted"',
    ]);
    expect(answers[0]).not.toBe(answers[1]);
    expect(answers[1]).toBe(acceptedBody(body, `uploads/${CAPABILITY}`));
    connection.destroy();
  });

  it.each([
    ['no key', '/hooks/uploads', 401],
    ['a key of unrestricted form', '/hooks/uploads/m_1', 401],
    ['a tag that is guessed', `/hooks/uploads/m_1.${'0'.repeat(32)}`, 401],
    ['the tag of another name', '/hooks/uploads/m_2.370ae0f96c3a04147376394f8438fe32', 401],
    ['another name of the same tag', '/hooks/uploads/m_1.6a7d7ea377340debea11b481313624d4', 401],
    ['the tag of another endpoint', '/hooks/uploads/m_1.6bea33e8b1bac6977a1122d1669607b2', 401],
    ['the tag of another master', '/hooks/uploads/m_1.12d16ca576f2532a6af4d7b686d5836e', 401],
    ['a tag in upper case', `/hooks/uploads/${CAPABILITY.toUpperCase()}`, 401],
    ['a tag that is cut', `/hooks/uploads/${CAPABILITY.slice(0, -1)}`, 401],
    ['a tag and more', `/hooks/uploads/${CAPABILITY}0`, 401],
    ['a tag alone', `/hooks/uploads/${CAPABILITY.slice(4)}`, 401],
    [
      'a right tag at an endpoint that accepts no unsigned ones',
      '/hooks/closed/m_1.6bea33e8b1bac6977a1122d1669607b2',
      401,
    ],
    ['an endpoint of signed deliveries', '/hooks/default', 401],
  ])('is refused with %s', async (_what, target, status) => {
    expect(await harness.attack(toBytes(unsigned(freshBody(), target)))).toMatchObject({
      status,
      connection: 'open',
    });
  });

  it.each([
    ['a signature alone', { 'x-service-timestamp': undefined }],
    ['a timestamp alone', { 'x-service-signature': undefined }],
    ['an empty signature', { 'x-service-timestamp': undefined, 'x-service-signature': '' }],
    ['an empty timestamp', { 'x-service-signature': undefined, 'x-service-timestamp': '' }],
    ['both empty', { 'x-service-signature': '', 'x-service-timestamp': '' }],
    ['a wrong signature', { 'x-service-signature': `sha256=${'0'.repeat(64)}` }],
    ['the signature of the endpoint', {}],
    ['an old timestamp', { 'x-service-timestamp': '1' }],
  ])('is not one that has %s: 401', async (_what, changes) => {
    const text = change(genuine(freshBody(), `/hooks/uploads/${CAPABILITY}`), changes);
    expect(await harness.attack(toBytes(text))).toMatchObject({ status: 401, connection: 'open' });
  });

  it('is 400 when it is no delivery', async () => {
    for (const body of ['null', '', '{', '[]']) {
      const text = unsigned(Buffer.from(body), `/hooks/uploads/${CAPABILITY}`);
      expect(await harness.attack(toBytes(text))).toMatchObject({ status: 400, connection: 'open' });
    }
  });

  it('is none without a master secret', async () => {
    const bytes = toBytes(unsigned(freshBody(), `/hooks/uploads/${CAPABILITY}`));
    expect(await withoutMaster.attack(bytes)).toMatchObject({ status: 404 });
  });

  it('with its key in a header or the query is 401', async () => {
    const text = add(unsigned(freshBody(), `/hooks/uploads?key=${CAPABILITY}`), [
      'X-Service-Key',
      CAPABILITY,
    ]);
    expect(await harness.attack(toBytes(text))).toMatchObject({ status: 401 });
  });
});

describe('a signed delivery at a capability address', () => {
  it('is as good as any other', async () => {
    const body = freshBody();
    const text = signed(body, `/hooks/uploads/${CAPABILITY}`, SECRET_OF_CAPABILITY);
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200 });
    expect(harness.inbox.asked[0]?.job.isUnsigned).toBeUndefined();
  });
});

describe('several secrets', () => {
  it('are valid together while they are changed, and the old one is not afterwards', async () => {
    const next = 'next-secret-0123456789';
    const byName = new Map<string, Endpoint>([['default', { secrets: [SECRET] }]]);
    const own = await openHarness({ endpoints: { byName } });
    const statusWith = async (secret: string) => {
      const connection = own.connect();
      connection.send(toBytes(signed(freshBody(), '/hooks/default', secret)));
      const answer = await connection.next();
      connection.destroy();
      return answer?.status;
    };
    expect([await statusWith(SECRET), await statusWith(next)]).toEqual([200, 401]);
    byName.set('default', { secrets: [next, SECRET] });
    expect([await statusWith(SECRET), await statusWith(next)]).toEqual([200, 200]);
    byName.set('default', { secrets: [next] });
    expect([await statusWith(SECRET), await statusWith(next)]).toEqual([401, 200]);
    await own.close();
  });
});
