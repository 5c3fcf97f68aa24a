import { createHash, createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { change, freshBody, genuine, NOW_SECONDS, SECRET, sign, toBytes } from './delivery-text.ts';
import { openHouse, type ReceiverHouse, refusedBody } from './receiver-house.ts';

let house: ReceiverHouse;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const mac = (algorithm: string, body: Buffer, prefix = `${NOW_SECONDS}.`) =>
  createHmac(algorithm, SECRET).update(prefix).update(body).digest();

describe('a signature', () => {
  it.each<[string, (body: Buffer) => string | undefined]>([
    ['that is not there', () => undefined],
    ['that is empty', () => ''],
    ['of zeros', () => `sha256=${'0'.repeat(64)}`],
    ['without digits', () => 'sha256='],
    ['without its algorithm', (body) => sign(body).slice(7)],
    ['with its algorithm in upper case', (body) => sign(body).replace('sha256', 'SHA256')],
    ['with digits in upper case', (body) => `sha256=${sign(body).slice(7).toUpperCase()}`],
    ['in base64', (body) => `sha256=${mac('sha256', body).toString('base64')}`],
    ['cut to 128 bits', (body) => sign(body).slice(0, 39)],
    ['cut to one digit', (body) => sign(body).slice(0, 8)],
    ['without its last digit', (body) => sign(body).slice(0, -1)],
    ['with one digit more', (body) => `${sign(body)}0`],
    ['with its first bit changed', (body) => flipDigit(sign(body), 7)],
    ['with its last bit changed', (body) => flipDigit(sign(body), 70)],
    ['twice in one line', (body) => `${sign(body)}, ${sign(body)}`],
    ['as a list of versions', (body) => `v1=${sign(body).slice(7)},${sign(body)}`],
    ['with something behind it', (body) => `${sign(body)};a=b`],
    ['in quotes', (body) => `"${sign(body)}"`],
    ['by SHA-1', (body) => `sha1=${mac('sha1', body).toString('hex')}`],
    ['by SHA-1 under the other name', (body) => `sha256=${mac('sha1', body).toString('hex')}`],
    ['by SHA-512', (body) => `sha512=${mac('sha512', body).toString('hex')}`],
    ['by SHA-512, cut', (body) => `sha256=${mac('sha512', body).toString('hex').slice(0, 64)}`],
    ['that is a plain hash', (body) => `sha256=${createHash('sha256').update(body).digest('hex')}`],
    ['over the body alone', (body) => `sha256=${mac('sha256', body, '').toString('hex')}`],
    ['over the body without the dot', (body) => `sha256=${mac('sha256', body, NOW_SECONDS).toString('hex')}`],
    ['over another body', () => sign(freshBody())],
    ['over another second', (body) => sign(body, '1783425601')],
    ['by another secret', (body) => sign(body, NOW_SECONDS, 'other-secret-0123456789')],
    ['by no secret', (body) => sign(body, NOW_SECONDS, '')],
    ['by the secret with a line feed', (body) => sign(body, NOW_SECONDS, `${SECRET}\n`)],
    ['by the secret cut', (body) => sign(body, NOW_SECONDS, SECRET.slice(0, -1))],
  ])('%s is 401', async (_form, make) => {
    const body = freshBody();
    const text = change(genuine(body), { 'x-service-signature': make(body) });
    expect(await house.attack(toBytes(text))).toMatchObject({
      status: 401,
      body: refusedBody('unauthorized'),
      connection: 'open',
    });
  });

  it('without a timestamp, and a timestamp without a signature, are 401', async () => {
    for (const name of ['x-service-timestamp', 'x-service-signature']) {
      const text = change(genuine(), { [name]: undefined });
      expect(await house.attack(toBytes(text))).toMatchObject({ status: 401 });
    }
  });

  it('counts in whatever case its header is named', async () => {
    const body = freshBody();
    const shouted = genuine(body).headers.map(([name, value]) => [name.toUpperCase(), value] as const);
    expect(await house.attack(toBytes({ ...genuine(body), headers: shouted }), [body])).toMatchObject({
      status: 200,
    });
  });

  it('does not count in the query, nor in a trailer, nor under another prefix', async () => {
    const body = freshBody();
    const unsigned = change(genuine(body), { 'x-service-signature': undefined });
    const inQuery = `POST /hooks/default?x-service-signature=${sign(body)} HTTP/1.1`;
    expect(await house.attack(toBytes({ ...unsigned, requestLine: inQuery }))).toMatchObject({ status: 401 });
    const otherPrefix = change(unsigned, { 'x-other-signature': sign(body) });
    expect(await house.attack(toBytes(otherPrefix))).toMatchObject({ status: 401 });
    const chunked = change(unsigned, { 'content-length': undefined, 'transfer-encoding': 'chunked' });
    const size = body.length.toString(16);
    const trailed = `${size}\r\n${body.toString()}\r\n0\r\nX-Service-Signature: ${sign(body)}\r\n\r\n`;
    expect(await house.attack(toBytes(chunked, trailed))).toMatchObject({ status: 401 });
  });

  it('leaves every 401 the same', async () => {
    const answers = new Set<string>();
    for (const changes of [
      { 'x-service-signature': undefined },
      { 'x-service-signature': 'x' },
      { 'x-service-timestamp': '1' },
      { 'x-service-timestamp': '+1' },
      { 'x-service-signature': `sha256=${'0'.repeat(64)}` },
    ]) {
      const { answer } = await house.attack(toBytes(change(genuine(), changes)));
      answers.add(`${answer?.head.replace(/^Date: .*$/m, '')}${answer?.body}`);
    }
    expect([...answers]).toHaveLength(1);
  });
});

function flipDigit(text: string, index: number): string {
  const flipped = (Number.parseInt(text.charAt(index), 16) ^ 1).toString(16);
  return text.slice(0, index) + flipped + text.slice(index + 1);
}
