import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { change, freshBody, genuine, sign, toBytes } from './delivery-text.ts';
import { openHarness, type Harness, refusedBody } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

describe('a content encoding', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  it.each<[string, string, (body: Buffer) => Buffer]>([
    ['gzip', 'gzip', gzipSync],
    ['x-gzip', 'x-gzip', gzipSync],
    ['GZIP', 'GZIP', gzipSync],
    ['deflate', 'deflate', deflateSync],
    ['raw deflate', 'deflate', deflateRawSync],
    ['br', 'br', brotliCompressSync],
    ['zstd', 'zstd', (body) => body],
    ['compress', 'compress', (body) => body],
    ['a chain', 'gzip, gzip', (body) => gzipSync(gzipSync(body))],
    ['a long chain', Array.from({ length: 500 }, () => 'gzip').join(','), gzipSync],
    ['identity and gzip', 'identity, gzip', gzipSync],
    ['an unknown one', 'rot13', (body) => body],
    ['gzip said of plain bytes', 'gzip', (body) => body],
    ['a bomb', 'gzip', () => bomb],
    ['a chained bomb', 'gzip, br', () => brotliCompressSync(bomb)],
  ])('%s is 415, whichever layer was signed', async (_name, encoding, encode) => {
    const body = freshBody();
    const sent = encode(body);
    for (const signed of [body, sent]) {
      const text = change(genuine(sent), {
        'content-encoding': encoding,
        'x-service-signature': sign(signed),
      });
      expect(await harness.attack(toBytes(text))).toMatchObject({
        status: 415,
        body: refusedBody('wrong_encoding'),
        connection: 'open',
      });
    }
  });

  // An empty header says nothing; a 415 would lose the event for ever.
  it.each(['identity', 'Identity', 'IDENTITY', 'identity, identity', '', ' '])(
    '%j is none',
    async (encoding) => {
      const body = freshBody();
      const text = change(genuine(body), { 'content-encoding': encoding });
      expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200 });
    },
  );

  it('is not looked for in the bytes: compressed ones are 401, and 400 when they are signed so', async () => {
    const body = freshBody();
    const packed = gzipSync(body);
    const forged = change(genuine(packed), { 'x-service-signature': sign(body) });
    expect(await harness.attack(toBytes(forged))).toMatchObject({ status: 401 });
    expect(await harness.attack(toBytes(genuine(packed)))).toMatchObject({ status: 400 });
  });
});

describe('a content type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json;',
    'application/cloudevents+json',
    'application/vnd.api+json; version=1',
    '',
    // The bytes are read as UTF-8 whatever they are said to be.
    'application/json; charset=latin1',
  ])('%j is JSON', async (type) => {
    const body = freshBody();
    const text = change(genuine(body), { 'content-type': type });
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200 });
    expect(findMismatchLines()).toEqual([]);
  });

  it('may be missing', async () => {
    const body = freshBody();
    const text = change(genuine(body), { 'content-type': undefined });
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200 });
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json-seq',
    'application/jsonx; a=application/json',
    'text/plain; application/json',
    'application/ json',
    'application/json, text/plain',
    'json',
    '*/*',
  ])('%s is not, and refuses no signed delivery: the log says it', async (type) => {
    const body = freshBody();
    const text = change(genuine(body), { 'content-type': type });
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
    expect(findMismatchLines()).toEqual([expect.stringContaining('"headers":["content_type"]')]);
  });
});

describe('an event header', () => {
  it.each([
    ['of another kind', 'meeting.failed'],
    ['in another case', 'Meeting.Completed'],
    ['with something behind it', 'meeting.completed;a'],
    ['of no kind', 'x'],
  ])('%s refuses no signed delivery: the log says it', async (_what, event) => {
    const body = freshBody();
    const text = change(genuine(body), { 'x-service-event': event });
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
    expect(findMismatchLines()).toEqual([expect.stringContaining('"headers":["event"]')]);
  });

  it.each([undefined, '', 'meeting.completed', 'meeting.completed, meeting.completed'])(
    '%j fits the body',
    async (event) => {
      const body = freshBody();
      const text = change(genuine(body), { 'x-service-event': event });
      expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200 });
      expect(findMismatchLines()).toEqual([]);
    },
  );
});

/** The lines about headers that do not fit, with nothing of what they said. */
function findMismatchLines(): readonly string[] {
  const lines = harness.lines.splice(0);
  return lines.filter((line) => line.startsWith('headers of this delivery do not fit its body'));
}
