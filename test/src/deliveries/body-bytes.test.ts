import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { change, freshBody, genuine, sign, toBytes } from './delivery-text.ts';
import { openHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const text = (body: string) => Buffer.from(body);
const around = (...middle: number[]) =>
  Buffer.concat([
    text('{"event":"meeting.completed","meeting_id":"m_bytes","timestamp":"t","data":{"title":"'),
    Buffer.from(middle),
    text('"}}'),
  ]);

describe('bytes that are not the bytes that were signed', () => {
  const bytes = freshBody();
  it.each([
    ['0xFF where U+FFFD was signed', around(0xef, 0xbf, 0xbd), around(0xff)],
    ['U+FFFD where 0xFF was signed', around(0xff), around(0xef, 0xbf, 0xbd)],
    ['an overlong slash where a slash was signed', around(0x2f), around(0xc0, 0xaf)],
    ['latin1 where UTF-8 was signed', around(0xc3, 0xa4), around(0xe4)],
    ['composed where decomposed was signed', around(0x61, 0xcc, 0x88), around(0xc3, 0xa4)],
    ['a byte order mark in front', bytes, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])],
    [
      'no byte order mark where one was signed',
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      bytes,
    ],
    ['a line feed behind', bytes, Buffer.concat([bytes, text('\n')])],
    ['a NUL behind', bytes, Buffer.concat([bytes, text('\0')])],
    ['without its last byte', bytes, bytes.subarray(0, -1)],
    ['CRLF where LF was signed', text('{\n}'), text('{\r\n}')],
    ['the same JSON with a blank', text('{"a":1}'), text('{"a": 1}')],
    ['the same JSON in another order', text('{"a":1,"b":2}'), text('{"b":2,"a":1}')],
    ['the same text escaped', text('"a"'), text('"\\u0061"')],
    ['UTF-16', bytes, Buffer.from(bytes.toString(), 'utf16le')],
    ['nothing', bytes, Buffer.alloc(0)],
  ])('are 401: %s', async (_what, signed, sent) => {
    const delivery = change(genuine(sent), { 'x-service-signature': sign(signed) });
    expect(await harness.attack(toBytes(delivery))).toMatchObject({ status: 401, connection: 'open' });
    expect(harness.inbox.refusals).toEqual([]);
  });
});

describe('a body that is signed but no delivery', () => {
  const deep = '['.repeat(100_000);
  const envelope = '"meeting_id":"m","timestamp":"t"';
  it.each([
    ['nothing', Buffer.alloc(0), 'not_json'],
    ['a blank', text(' '), 'not_json'],
    ['null', text('null'), 'wrong_shape'],
    ['true', text('true'), 'wrong_shape'],
    ['a number', text('12'), 'wrong_shape'],
    ['a huge number', text('1e999'), 'wrong_shape'],
    ['a string', text('"meeting.completed"'), 'wrong_shape'],
    ['an array', text('[]'), 'wrong_shape'],
    ['an array of a delivery', Buffer.concat([text('['), freshBody(), text(']')]), 'wrong_shape'],
    ['an empty object', text('{}'), 'wrong_shape'],
    ['two deliveries', Buffer.concat([freshBody(), freshBody()]), 'not_json'],
    ['a cut delivery', freshBody().subarray(0, -1), 'not_json'],
    ['a form', text('event=meeting.completed&meeting_id=m'), 'not_json'],
    ['100,000 open brackets', text(deep), 'not_json'],
    ['100,000 levels', text(deep + ']'.repeat(100_000)), 'wrong_shape'],
    ['an invalid byte', around(0xff), 'not_utf8'],
    ['an overlong slash', around(0xc0, 0xaf), 'not_utf8'],
    ['half of a surrogate pair', around(0xed, 0xa0, 0x80), 'not_utf8'],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), freshBody()]), 'not_json'],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{}', 'utf16le')]), 'not_utf8'],
    ['an envelope in __proto__', text(`{"__proto__":{"event":"e",${envelope}}}`), 'wrong_shape'],
    ['an envelope in constructor', text(`{"constructor":{"event":"e",${envelope}}}`), 'wrong_shape'],
    ['an event that is an object', text(`{"event":{},${envelope}}`), 'wrong_shape'],
    ['an empty event', text(`{"event":"",${envelope}}`), 'wrong_shape'],
    ['no event', text(`{${envelope}}`), 'wrong_shape'],
    ['no timestamp', text('{"event":"e","meeting_id":"m"}'), 'wrong_shape'],
    ['a NUL in its meeting', text('{"event":"e","meeting_id":"a\\u0000","timestamp":"t"}'), 'wrong_shape'],
  ])('is 400 and kept without its content: %s', async (_what, body, reason) => {
    const delivery = change(genuine(body), { 'x-service-event': undefined });
    expect(await harness.attack(toBytes(delivery))).toMatchObject({
      status: 400,
      body: '{"status":"refused","reason":"malformed"}',
      connection: 'open',
    });
    expect(harness.inbox.refusals).toEqual([
      {
        endpoint: 'default',
        deliveryId: 'd-1',
        receivedAt: '2026-07-07T12:00:00.000Z',
        reason,
        bytes: body.length,
        bodySha256: createHash('sha256').update(body).digest('hex'),
      },
    ]);
  });
});

describe('a body that is a delivery', () => {
  it.each<[string, Buffer]>([
    ['of an unknown kind', freshBody({ event: 'meeting.renamed' })],
    ['with unknown fields', freshBody({ workspace: 'w', data: { extra: { a: [1] } } })],
    ['with blanks and CRLF', text('\r\n{ "event":"e",\r\n"meeting_id":"m","timestamp":"t" }\r\n')],
    ['with repeated keys', text('{"event":"x","event":"e","meeting_id":"m","timestamp":"t"}')],
    [
      'with prototype keys',
      text(
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"event":"e","meeting_id":"m2","timestamp":"t"}',
      ),
    ],
    [
      'with 100,000 levels in its data',
      text(
        `{"event":"e","meeting_id":"m3","timestamp":"t","data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      ),
    ],
    ['with U+FFFD', around(0xef, 0xbf, 0xbd)],
    ['with an astral character', around(0xf0, 0x9f, 0x9b, 0x91)],
  ])('is stored byte for byte: %s', async (_what, body) => {
    const delivery = change(genuine(body), { 'x-service-event': undefined });
    expect(await harness.attack(toBytes(delivery), [body])).toMatchObject({ status: 200 });
    expect(Buffer.from(harness.inbox.asked[0]?.job.body ?? '').equals(body)).toBe(true);
    expect('polluted' in {}).toBe(false);
  });

  it('with repeated keys uses the last one', async () => {
    const body = text(
      '{"event":"meeting.failed","meeting_id":"m","timestamp":"t","event":"meeting.completed"}',
    );
    expect(await harness.attack(toBytes(genuine(body)), [body])).toMatchObject({ status: 200 });
    expect(harness.lines.join('\n')).not.toContain('do not fit');
    const other = change(genuine(body), { 'x-service-event': 'meeting.failed' });
    expect(await harness.attack(toBytes(other), [body])).toMatchObject({ status: 200 });
    expect(harness.lines.join('\n')).toContain('do not fit');
  });
});
