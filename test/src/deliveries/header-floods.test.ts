import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { change, type DeliveryText, freshBody, genuine, toBytes } from './delivery-text.ts';
import { openHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const flood = (count: number, value = '1') =>
  Array.from({ length: count }, (_, index) => [`a${index}`, value] as const);

/** Other headers in front of the genuine ones, so that these are what a cap by count would drop. */
const behind = (headers: DeliveryText['headers'], text: DeliveryText): DeliveryText => ({
  ...text,
  headers: [...headers, ...text.headers],
});

describe('a flood of headers', () => {
  it.each([999, 1001, 1100, 1400])(
    'of %i that are small passes, and the signature behind them counts',
    async (count) => {
      const body = freshBody();
      const text = behind(flood(count), genuine(body));
      expect(toBytes(text, '').length).toBeLessThan(16_000);
      expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
      const unsigned = change(text, { 'x-service-signature': undefined });
      expect(await harness.attack(toBytes(unsigned))).toMatchObject({ status: 401 });
    },
  );

  it('of 1,100 cannot hide a second signature line', async () => {
    const text = genuine();
    const signature = text.headers[3] ?? ['', ''];
    expect(await harness.attack(toBytes(behind([signature, ...flood(1100)], text)))).toMatchObject({
      status: 401,
    });
  });

  it('of 1,100 cannot hide a second length', async () => {
    const text = behind([['Content-Length', '5'], ...flood(1100)], genuine());
    expect(await harness.attack(toBytes(text))).toMatchObject({ status: 400, connection: 'closed' });
  });

  it.each<[string, DeliveryText['headers']]>([
    ['many small ones', flood(3000)],
    ['one large one', [['a', 'x'.repeat(16_385)]]],
    ['one long name', [['x'.repeat(16_385), 'a']]],
    ['a few large ones', flood(5, 'x'.repeat(4000))],
    ['a megabyte', [['a', 'x'.repeat(1_000_000)]]],
  ])('over 16 KiB is 431: %s', async (_name, headers) => {
    expect(await harness.attack(toBytes(behind(headers, genuine())))).toMatchObject({
      status: 431,
      body: '',
      connection: 'closed',
    });
  });

  it('in trailers is refused as well', async () => {
    const text = change(genuine(), { 'content-length': undefined, 'transfer-encoding': 'chunked' });
    const size = text.body.length.toString(16);
    const trailers = flood(3000).map(([name, value]) => `${name}: ${value}\r\n`);
    const sent = `${size}\r\n${text.body.toString()}\r\n0\r\n${trailers.join('')}\r\n`;
    expect(await harness.attack(toBytes(text, sent))).toMatchObject({ status: 431, connection: 'closed' });
  });

  it('of prototype names changes nothing', async () => {
    const body = freshBody();
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'];
    const text = behind(
      names.map((name) => [name, 'polluted'] as const),
      genuine(body),
    );
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
    expect({}.constructor).toBe(Object);
  });

  it('that override method, address and peer changes nothing', async () => {
    const body = freshBody();
    const text = behind(
      [
        ['X-Forwarded-For', '127.0.0.1'],
        ['X-Forwarded-Host', 'other.example'],
        ['X-Original-URL', '/hooks/other'],
        ['X-Rewrite-URL', '/hooks/other'],
        ['Forwarded', 'for=127.0.0.1'],
        ['Authorization', 'Bearer x'],
        ['Cookie', 'a=1'],
      ],
      genuine(body),
    );
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
  });
});
