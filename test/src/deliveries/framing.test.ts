import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { add, change, type DeliveryText, freshBody, genuine, NOW_SECONDS, toBytes } from './delivery-text.ts';
import { openHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const broken = { status: 400, body: '', connection: 'closed' };

/** A genuine delivery whose body is sent as these chunks, written out. */
function inChunks(body: Buffer, write: (body: string, size: string) => string, coding = 'chunked'): Buffer {
  const text = change(genuine(body), { 'content-length': undefined, 'transfer-encoding': coding });
  return toBytes(text, write(body.toString('latin1'), body.length.toString(16)));
}

const inOneChunk = (body: Buffer) => `${body.length.toString(16)}\r\n${body.toString()}\r\n0\r\n\r\n`;

/** A genuine delivery with one thing of its bytes replaced. */
function replaced(find: string, by: string, body = freshBody()): Buffer {
  const bytes = toBytes(genuine(body)).toString('latin1');
  if (!bytes.includes(find)) throw new Error(`not in the request: ${find}`);
  return Buffer.from(bytes.replace(find, by), 'latin1');
}

describe('two lengths', () => {
  const smuggled = toBytes(genuine(freshBody(), '/hooks/default')).toString('latin1');
  it.each<[string, (text: DeliveryText, body: Buffer) => Buffer]>([
    [
      'content-length and chunked',
      (text, body) => toBytes(add(text, ['Transfer-Encoding', 'chunked']), inOneChunk(body)),
    ],
    [
      'content-length over chunked with another request behind',
      (text) => toBytes(add(text, ['Transfer-Encoding', 'chunked']), `0\r\n\r\n${smuggled}`),
    ],
    [
      'chunked before content-length',
      (text, body) =>
        toBytes(
          add(
            change(text, { 'content-length': undefined }),
            ['Transfer-Encoding', 'chunked'],
            ['Content-Length', '5'],
          ),
          inOneChunk(body),
        ),
    ],
    ['chunked in another case', (text) => toBytes(add(text, ['transfer-encoding', 'ChUnKeD']))],
    ['an unknown coding', (text) => toBytes(add(text, ['Transfer-Encoding', 'xchunked']))],
    ['a coding with a tab', (text) => toBytes(add(text, ['Transfer-Encoding', '\tchunked']))],
    ['identity', (text) => toBytes(add(text, ['Transfer-Encoding', 'identity']))],
    ['an empty coding', (text) => toBytes(add(text, ['Transfer-Encoding', '']))],
  ])('are 400: %s', async (_name, make) => {
    const body = freshBody();
    expect(await harness.attack(make(genuine(body), body))).toMatchObject(broken);
  });
});

describe('a length', () => {
  it.each(['-1', '+5', '0x10', '5 5', '5,5', '1e1', 'abc', '99999999999999999999', '5.0', '5;', '\u00b2'])(
    '%s is 400',
    async (length) => {
      expect(await harness.attack(toBytes(change(genuine(), { 'content-length': length })))).toMatchObject(
        broken,
      );
    },
  );

  it('with zeros in front is that length', async () => {
    const body = freshBody();
    const text = change(genuine(body), { 'content-length': `000${body.length}` });
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
  });

  it('that is smaller than what comes: what is left over is no request', async () => {
    const body = freshBody();
    const text = change(genuine(body), { 'content-length': String(body.length - 1) });
    const { status, connection } = await harness.attack(toBytes(text));
    // The parser may come to what is left over before the answer is out.
    expect([400, 401]).toContain(status);
    expect(connection).toBe('closed');
  });

  it('that is missing means no body', async () => {
    const text = change(genuine(), { 'content-length': undefined });
    expect(await harness.attack(toBytes(text, ''))).toMatchObject({ status: 401, connection: 'open' });
    expect(await harness.attack(toBytes(text))).toMatchObject({ connection: 'closed' });
  });

  it('twice as chunked is 400', async () => {
    const body = freshBody();
    const twice = inChunks(body, (all, size) => `${size}\r\n${all}\r\n0\r\n\r\n`, 'chunked, chunked');
    expect(await harness.attack(twice)).toMatchObject(broken);
  });

  it('of a body in another transfer coding is never undone', async () => {
    const body = freshBody();
    const packed = gzipSync(body);
    const text = change(genuine(body), { 'content-length': undefined, 'transfer-encoding': 'gzip, chunked' });
    const sent = Buffer.concat([
      Buffer.from(`${packed.length.toString(16)}\r\n`),
      packed,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    expect((await harness.attack(toBytes(text, sent))).status).not.toBe(200);
    const last = change(genuine(body), { 'content-length': undefined, 'transfer-encoding': 'chunked, gzip' });
    expect(await harness.attack(toBytes(last, sent))).toMatchObject(broken);
  });
});

describe('chunks', () => {
  it.each<[string, (body: string, size: string) => string]>([
    ['one', (body, size) => `${size}\r\n${body}\r\n0\r\n\r\n`],
    ['a byte each', (body) => `${Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`],
    ['a size in upper case with zeros', (body, size) => `000${size.toUpperCase()}\r\n${body}\r\n00\r\n\r\n`],
    ['an extension', (body, size) => `${size};name=value\r\n${body}\r\n0\r\n\r\n`],
    ['a quoted extension', (body, size) => `${size};name="a;b"\r\n${body}\r\n0;last\r\n\r\n`],
    ['a trailer', (body, size) => `${size}\r\n${body}\r\n0\r\nX-Any: 1\r\n\r\n`],
    [
      'trailers that contradict the head',
      (body, size) => `${size}\r\n${body}\r\n0\r\nX-Service-Timestamp: 1\r\nX-Service-Event: x\r\n\r\n`,
    ],
  ])('are the body: %s', async (_name, write) => {
    const body = freshBody();
    expect(await harness.attack(inChunks(body, write), [body])).toMatchObject({
      status: 200,
      connection: 'open',
    });
  });

  it.each<[string, (body: string, size: string) => string]>([
    ['a size that is no number', (body) => `xyz\r\n${body}\r\n0\r\n\r\n`],
    ['a negative size', (body, size) => `-${size}\r\n${body}\r\n0\r\n\r\n`],
    ['a size with a sign', (body, size) => `+${size}\r\n${body}\r\n0\r\n\r\n`],
    ['a size with 0x', (body, size) => `0x${size}\r\n${body}\r\n0\r\n\r\n`],
    ['a size with a blank in front', (body, size) => ` ${size}\r\n${body}\r\n0\r\n\r\n`],
    ['a size with a blank behind', (body, size) => `${size} \r\n${body}\r\n0\r\n\r\n`],
    ['an empty size', (body) => `\r\n${body}\r\n0\r\n\r\n`],
    ['a size beyond 64 bits', (body) => `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`],
    ['a size that is too small', (body) => `1\r\n${body}\r\n0\r\n\r\n`],
    ['a size ended by a line feed alone', (body, size) => `${size}\n${body}\r\n0\r\n\r\n`],
    ['a size ended by a carriage return alone', (body, size) => `${size}\r${body}\r\n0\r\n\r\n`],
    ['a line feed in an extension', (body, size) => `${size};a\nb\r\n${body}\r\n0\r\n\r\n`],
    ['no line end behind the chunk', (body, size) => `${size}\r\n${body}0\r\n\r\n`],
    ['a NUL in the size', (body, size) => `${size}\0\r\n${body}\r\n0\r\n\r\n`],
    ['a trailer that is none', (body, size) => `${size}\r\n${body}\r\n0\r\nno colon\r\n\r\n`],
  ])('that are broken are 400: %s', async (_name, write) => {
    expect(await harness.attack(inChunks(freshBody(), write))).toMatchObject(broken);
  });

  it('that are broken with 64 KiB of extensions are refused', async () => {
    const flood = inChunks(
      freshBody(),
      (body, size) => `${size};${'a'.repeat(65_536)}\r\n${body}\r\n0\r\n\r\n`,
    );
    const { status, connection } = await harness.attack(flood);
    expect([[400, 413, 431].includes(Number(status)), connection]).toEqual([true, 'closed']);
  });
});

describe('a head that is no HTTP', () => {
  it.each<[string, string, string]>([
    ['a blank before a colon', 'X-Service-Timestamp:', 'X-Service-Timestamp :'],
    ['a tab before a colon', 'X-Service-Timestamp:', 'X-Service-Timestamp\t:'],
    ['a blank in a name', 'X-Service-Timestamp:', 'X-Service Timestamp:'],
    ['a line that begins with a blank', 'X-Service-Timestamp:', ' X-Service-Timestamp:'],
    ['a first line that begins with a blank', 'Host:', ' Host:'],
    ['a line without a colon', 'X-Service-Event: meeting.completed', 'X-Service-Event'],
    ['a name that is empty', 'X-Service-Event:', ':'],
    ['a NUL in a name', 'X-Service-Event:', 'X-Service\0-Event:'],
    ['a NUL in a value', 'meeting.completed\r\n', 'meeting\0.completed\r\n'],
    ['a carriage return in a value', 'meeting.completed\r\n', 'meeting\r.completed\r\n'],
    ['a line feed in a value', 'meeting.completed\r\n', 'meeting\n.completed\r\n'],
    ['a name of other letters', 'X-Service-Event:', 'X-Service-\u00cbvent:'],
    ['brackets in a name', 'X-Service-Event:', 'X-(Service)-Event:'],
    ['no Host', 'Host: 127.0.0.1\r\n', ''],
    ['a blank in front of it', 'POST ', ' POST '],
    ['a tab in it', 'POST /', 'POST\t/'],
    ['a blank in the target', '/hooks/default', '/hooks/def ault'],
    ['a NUL in the target', '/hooks/default', '/hooks/def\0ault'],
    ['another protocol', 'HTTP/1.1', 'HTTQ/1.1'],
    ['no version', ' HTTP/1.1', ' HTTP/'],
    ['version 1.2', 'HTTP/1.1', 'HTTP/1.2'],
    ['version 3.0', 'HTTP/1.1', 'HTTP/3.0'],
    ['version 1.10', 'HTTP/1.1', 'HTTP/1.10'],
    ['a version in lower case', 'HTTP/1.1', 'http/1.1'],
    ['something behind the version', 'HTTP/1.1', 'HTTP/1.1 x'],
  ])('is 400: %s', async (_name, find, by) => {
    expect(await harness.attack(replaced(find, by))).toMatchObject(broken);
  });

  it('is 400 with line feeds alone', async () => {
    const bytes = toBytes(genuine()).toString('latin1').replaceAll('\r\n', '\n');
    expect(await harness.attack(Buffer.from(bytes, 'latin1'))).toMatchObject(broken);
  });

  it('is 400 where one line ends with a line feed alone', async () => {
    const bytes = replaced(`${NOW_SECONDS}\r\n`, `${NOW_SECONDS}\n`);
    expect(await harness.attack(bytes)).toMatchObject(broken);
  });

  it.each<[string, Buffer]>([
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['SSH', Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')],
    ['SMTP', Buffer.from('EHLO example\r\n')],
    [
      'a PROXY line',
      Buffer.concat([Buffer.from('PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n'), toBytes(genuine())]),
    ],
    ['HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    ['zeros', Buffer.alloc(100)],
    ['0xFF', Buffer.alloc(100, 0xff)],
    ['a body without a head', freshBody()],
  ])('is 400: %s', async (_name, bytes) => {
    expect(await harness.attack(bytes)).toMatchObject(broken);
  });

  it('may have two blanks in its request line', async () => {
    const body = freshBody();
    expect(await harness.attack(replaced(' HTTP/1.1', '  HTTP/1.1', body), [body])).toMatchObject({
      status: 200,
      connection: 'open',
    });
  });

  it('may have empty lines in front', async () => {
    const body = freshBody();
    const bytes = Buffer.concat([Buffer.from('\r\n\r\n'), toBytes(genuine(body))]);
    expect(await harness.attack(bytes, [body])).toMatchObject({ status: 200, connection: 'open' });
  });

  it('with a folded line never makes a signature of two halves', async () => {
    const body = freshBody();
    const signature = genuine(body).headers[3]?.[1] ?? '';
    for (const fold of ['\r\n ', '\r\n\t', '\r\n   ']) {
      const halves = replaced(signature, signature.slice(0, 30) + fold + signature.slice(30), body);
      expect([400, 401]).toContain((await harness.attack(halves)).status);
      const second = replaced(NOW_SECONDS, `17834${fold}25600`);
      expect([400, 401]).toContain((await harness.attack(second)).status);
    }
  });
});
