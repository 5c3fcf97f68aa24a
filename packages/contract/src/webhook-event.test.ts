import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { EVENT_KINDS, readWebhookEvent } from './webhook-event.ts';

const read = (text: string) => readWebhookEvent(Buffer.from(text));
/** Three good fields, and what else is given. */
const envelopeWith = (more: string) =>
  `{"event":"meeting.completed","meeting_id":"m_1","timestamp":"2026-07-07T12:00:00Z"${more}}`;
const bareEvent = {
  event: 'meeting.completed',
  meeting_id: 'm_1',
  timestamp: '2026-07-07T12:00:00Z',
  data: {},
};

describe('an event', () => {
  it('has the kinds of the specification', () => {
    expect(EVENT_KINDS).toStrictEqual(['meeting.completed', 'meeting.failed']);
  });

  it('is read with all its fields, and with the text it was read from', () => {
    const text = envelopeWith(
      ',"data":{"title":"Sales sync","is_transcript_empty":false,"report_url":"https://service.example/api/video/report?meeting_id=m_1","reason":"нет звука 🛑","aftermeet_test":true}',
    );
    expect(read(text)).toStrictEqual({
      ok: true,
      text,
      event: {
        event: 'meeting.completed',
        meeting_id: 'm_1',
        timestamp: '2026-07-07T12:00:00Z',
        data: {
          title: 'Sales sync',
          is_transcript_empty: false,
          report_url: 'https://service.example/api/video/report?meeting_id=m_1',
          reason: 'нет звука 🛑',
          aftermeet_test: true,
        },
      },
    });
  });

  it('is read from each of the signed vectors that holds one', () => {
    const { cases }: { cases: { name: string; body_base64: string }[] } = JSON.parse(
      readFileSync(new URL('../../../test/vectors/service-deliveries.json', import.meta.url), 'utf8'),
    );
    const outcomes = cases.map(({ name, body_base64 }) => {
      const reading = readWebhookEvent(Buffer.from(body_base64, 'base64'));
      return `${name}: ${reading.ok ? reading.event.event : reading.reason}`;
    });
    expect(outcomes).toStrictEqual([
      'completed, compact: meeting.completed',
      'completed, with CRLF and blanks: meeting.completed',
      'failed, Cyrillic and an astral character: meeting.failed',
      'empty body: not_json',
      'a byte that is not UTF-8: not_utf8',
      'U+FFFD in place of that byte: must differ: wrong_shape',
      'byte order mark first: not_json',
      'trailing newline: meeting.completed',
      'timestamp zero: meeting.completed',
      'secret of 128 characters: meeting.completed',
      'secret with non-ASCII characters: meeting.completed',
      'secret with blanks at its ends, never trimmed: meeting.completed',
    ]);
  });

  it('may be of a kind that nobody knows yet', () => {
    expect(read('{"event":"meeting.renamed","meeting_id":"m","timestamp":"t"}')).toMatchObject({
      ok: true,
      event: { event: 'meeting.renamed' },
    });
  });

  it.each([
    '',
    ',"data":null',
    ',"data":{}',
    ',"data":[]',
    ',"data":[1]',
    ',"data":"x"',
    ',"data":5',
    ',"data":{"title":null,"reason":5}',
  ])('has no data when there is none that can be read (%s)', (more) => {
    expect(read(envelopeWith(more))).toStrictEqual({ ok: true, text: envelopeWith(more), event: bareEvent });
  });

  it('loses a field of the wrong type and keeps the others', () => {
    expect(
      read(
        envelopeWith(
          ',"data":{"title":7,"is_transcript_empty":"false","report_url":{"a":1},"reason":"r","speakers":[1]}',
        ),
      ),
    ).toMatchObject({ ok: true, event: { ...bareEvent, data: { reason: 'r' } } });
  });

  it('keeps unknown fields out of what it returns, but in the text', () => {
    const reading = read(envelopeWith(',"workspace":"w","data":{"title":"T","extra":{"a":1}}'));
    expect(reading.ok && reading.event).toStrictEqual({ ...bareEvent, data: { title: 'T' } });
    expect(reading.ok && reading.text).toContain('"extra":{"a":1}');
  });

  it('takes numbers for ids and times, because a refused event is lost', () => {
    const reading = read('{"event":"meeting.completed","meeting_id":12,"timestamp":1783425600.25}');
    expect(reading.ok && reading.event).toStrictEqual({
      ...bareEvent,
      meeting_id: '12',
      timestamp: '1783425600.25',
    });
    expect(read('{"event":"e","meeting_id":-0,"timestamp":9007199254740991}')).toMatchObject({
      ok: true,
      event: { meeting_id: '0', timestamp: '9007199254740991' },
    });
  });

  it('with doubled keys is read as JSON.parse reads it: the last one counts', () => {
    expect(read(envelopeWith(',"meeting_id":"m_2"'))).toMatchObject({
      ok: true,
      event: { meeting_id: 'm_2' },
    });
  });

  it('does not take anything from prototype keys', () => {
    const reading = read(
      envelopeWith(
        ',"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"data":{"__proto__":{"title":"evil"},"constructor":1,"title":"T"}',
      ),
    );
    expect(reading.ok && reading.event).toStrictEqual({ ...bareEvent, data: { title: 'T' } });
    expect('polluted' in {}).toBe(false);
    expect(read('{"__proto__":{"event":"e","meeting_id":"m","timestamp":"t"}}')).toMatchObject({
      ok: false,
      reason: 'wrong_shape',
    });
    const onlyInherited = read(envelopeWith(',"data":{"__proto__":{"title":"evil"}}'));
    expect(onlyInherited.ok && onlyInherited.event.data).toStrictEqual({});
  });

  it('has U+FFFD where its data holds what no store takes', () => {
    expect(
      read(envelopeWith(',"data":{"title":"a\\u0000b\\ud83dc","reason":"\\ud83d\\uded1\\u0007"}')),
    ).toMatchObject({
      ok: true,
      event: { data: { title: 'a\uFFFDb\uFFFDc', reason: '🛑\u0007' } },
    });
  });

  it.each([
    ['a NUL alone', 'a\\u0000b', 'a\uFFFDb'],
    ['half of a pair alone', 'a\\udc00b', 'a\uFFFDb'],
    ['a whole pair', '\\ud83d\\uded1', '🛑'],
  ])('is mended only where it must be: %s', (_what, written, title) => {
    expect(read(envelopeWith(`,"data":{"title":"${written}"}`))).toMatchObject({
      ok: true,
      event: { data: { title } },
    });
  });

  it('is read from a view of a larger buffer', () => {
    const text = envelopeWith('');
    const larger = Buffer.from(`xx${text}yy`);
    const view = new Uint8Array(larger.buffer, larger.byteOffset + 2, larger.length - 4);
    expect(readWebhookEvent(view)).toMatchObject({ ok: true, text });
  });
});

describe('bytes that are not UTF-8', () => {
  it.each([
    ['a stray continuation byte', [0x22, 0x80, 0x22]],
    ['0xFF', [0x22, 0xff, 0x22]],
    ['a cut sequence', [0x22, 0xf0, 0x9f, 0x9b]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['beyond U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('are refused: %s', (_what, bytes) => {
    expect(readWebhookEvent(Uint8Array.from(bytes))).toStrictEqual({
      ok: false,
      reason: 'not_utf8',
      detail: 'the body is not UTF-8',
    });
    // The decoder keeps nothing of what it refused.
    expect(read(envelopeWith('')).ok).toBe(true);
  });
});

describe('text that is not JSON', () => {
  it.each([
    ['', 'the body is empty'],
    [' ', 'the body is not JSON'],
    ['{', 'the body is not JSON'],
    ["{'event':'secret-content'}", 'the body is not JSON'],
    ['{"a":1}{"a":1}', 'the body is not JSON'],
    ['{"a":NaN}', 'the body is not JSON'],
    ['event=meeting.completed', 'the body is not JSON'],
    [`\uFEFF${envelopeWith('')}`, 'the body begins with a byte order mark'],
  ])('is refused without being quoted: %j', (text, detail) => {
    expect(read(text)).toStrictEqual({ ok: false, reason: 'not_json', detail });
  });
});

describe('JSON of another shape', () => {
  it.each([
    ['null', 'the body must be an object'],
    ['[]', 'the body must be an object'],
    ['[{"event":"e"}]', 'the body must be an object'],
    ['true', 'the body must be an object'],
    ['5', 'the body must be an object'],
    ['"text"', 'the body must be an object'],
    ['{}', 'event is missing; meeting_id is missing; timestamp is missing'],
    ['{"event":"e","meeting_id":"m"}', 'timestamp is missing'],
    [
      '{"event":null,"meeting_id":["m"],"timestamp":{}}',
      'event must be text; meeting_id must be text; timestamp must be text',
    ],
    ['{"event":true,"meeting_id":"m","timestamp":"t"}', 'event must be text'],
    [
      '{"event":"","meeting_id":" ","timestamp":"\\t"}',
      'event must not be empty; meeting_id must not be empty; timestamp must not be empty',
    ],
    [
      '{"event":"e","meeting_id":"a\\u0000b","timestamp":"t"}',
      'meeting_id must not hold control characters or half of a surrogate pair',
    ],
    [
      '{"event":"e","meeting_id":"\\ud800","timestamp":"t"}',
      'meeting_id must not hold control characters or half of a surrogate pair',
    ],
    [
      '{"event":"e\\n","meeting_id":"m","timestamp":"t"}',
      'event must not hold control characters or half of a surrogate pair',
    ],
    [
      '{"event":"e","meeting_id":12345678901234567890,"timestamp":"t"}',
      'meeting_id must be text: a number this large is not read exactly',
    ],
    [
      '{"event":"e","meeting_id":1e999,"timestamp":"t"}',
      'meeting_id must be text: a number this large is not read exactly',
    ],
    [
      `{"event":"e","meeting_id":"${'m'.repeat(257)}","timestamp":"t"}`,
      'meeting_id must have at most 256 characters',
    ],
  ])('is refused with the rule: %s', (text, detail) => {
    expect(read(text)).toStrictEqual({ ok: false, reason: 'wrong_shape', detail });
  });

  it('has room for ids of 256 characters', () => {
    expect(read(`{"event":"e","meeting_id":"${'m'.repeat(256)}","timestamp":"t"}`).ok).toBe(true);
  });

  it('may be nested 100,000 deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(read(deep)).toMatchObject({ ok: false, reason: 'wrong_shape' });
    expect(read(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toMatchObject({
      ok: false,
      reason: 'wrong_shape',
    });
    expect(read('['.repeat(100_000))).toMatchObject({ ok: false, reason: 'not_json' });
    expect(read(envelopeWith(`,"data":{"title":${deep},"reason":"r","x":${deep}}`))).toMatchObject({
      ok: true,
      event: { data: { reason: 'r' } },
    });
  });
});

describe('readWebhookEvent', () => {
  it('never throws on bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(readWebhookEvent(bytes).ok).toBeTypeOf('boolean');
      }),
      { numRuns: 1000 },
    );
  });

  it('never throws on JSON, nor on an envelope with anything in its fields', () => {
    const envelopes = fc.record(
      { event: fc.jsonValue(), meeting_id: fc.jsonValue(), timestamp: fc.jsonValue(), data: fc.jsonValue() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), envelopes), (value) => {
        const reading = read(JSON.stringify(value));
        expect(reading.ok || reading.reason === 'wrong_shape').toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('gives back every valid event as it was written', () => {
    const words = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((text) => text.trim() !== '' && !/\p{Cc}/u.test(text));
    const prose = fc.string({ unit: 'grapheme' });
    const events = fc.record(
      {
        event: fc.oneof(fc.constantFrom(...EVENT_KINDS), words),
        meeting_id: words,
        timestamp: words,
        data: fc.record(
          { title: prose, is_transcript_empty: fc.boolean(), report_url: prose, reason: prose },
          { requiredKeys: [], noNullPrototype: true },
        ),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(events, (event) => {
        const text = JSON.stringify(event);
        expect(read(text)).toStrictEqual({ ok: true, event, text });
      }),
    );
  });

  it('throws on text, which has lost the bytes that were signed', () => {
    // @ts-expect-error: a caller without types
    expect(() => readWebhookEvent('{}')).toThrow(TypeError);
    // @ts-expect-error: a caller without types
    expect(() => readWebhookEvent(undefined)).toThrow(TypeError);
  });
});
