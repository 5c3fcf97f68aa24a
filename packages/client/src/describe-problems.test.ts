import { buildRequest, listOperations, type OperationInput, operations } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { prepareCall } from './prepare-call.ts';
import { ServiceError } from './service-error.ts';
import { makeConnection, TEST_KEY } from './testing/make-connection.ts';
import { buildChunkForm } from './upload/chunk-form.ts';

const { start } = operations.recordings;

function refusalOf(call: () => unknown): ServiceError {
  try {
    call();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}

/** What is said of an input as JavaScript callers may hand it over. */
function detailOf(input: object, apiKey: string = TEST_KEY): string | undefined {
  const connection = makeConnection('http://127.0.0.1:9', { apiKey });
  const given = input as OperationInput<typeof start>;
  return refusalOf(() => prepareCall(connection, start, given, '*/*')).detail;
}

const link = 'https://meet.example/a';
const tooShort = 'webhook_secret must be 16 to 128 characters; found text of length';

describe('the words of a refusal', () => {
  it.each(['hook', 'secret', 'must', 'a', 'text', 'found', 'MUST BE', 'webhook_secret', '16 to 128'])(
    'stay whole beside the title %j',
    (title) => {
      expect(detailOf({ link, title, webhook_secret: 'too-short' })).toBe(`${tooShort} 9`);
    },
  );

  it.each(['hoo', 'mus', 'hook', 'must', 'characters', 'length', '9'])(
    'stay whole around the webhook secret %j',
    (secret) => {
      expect(detailOf({ link, webhook_secret: secret })).toBe(`${tooShort} ${secret.length}`);
    },
  );

  it('stay whole beside a key, names and addresses that occur in them', () => {
    const input = { link: 'must', participants: ['participants', 'e-mail'], webhook_url: 'address' };
    const address = 'must be a web address that begins with http:// or https://; found text of length';
    const mail = 'must be an e-mail address in ASCII, an internationalised domain in its xn-- form';
    expect(detailOf(input, 'found')).toBe(
      `link ${address} 4; participants[0] ${mail}; found text of length 12; ` +
        `participants[1] ${mail}; found text of length 6; webhook_url ${address} 7`,
    );
  });

  it('name the fields that an operation takes', () => {
    expect(detailOf({ link, title: 'hook', webhooksecret: 'x' })).toBe(
      'web[hidden]secret is not a field of recordings.start, which takes link, source, title, ' +
        'local_date_time, cron, template_name, participants, webhook_url, webhook_secret',
    );
  });

  it('stay whole in an upload', () => {
    const identity = { id: crypto.randomUUID(), sessionId: crypto.randomUUID(), size: 1, chunkTotal: 2 };
    const details = { title: 'hook', webhook_secret: 'hoo' };
    const form = { ...identity, filename: 'must', details };
    expect(refusalOf(() => buildChunkForm(form, 0, new Uint8Array(1))).detail).toBe(`${tooShort} 3`);
    const hostile: object = { title: 20_260_707, 'must/Board': 1 };
    expect(
      refusalOf(() => buildChunkForm({ ...form, filename: 'board', details: hostile }, 0, new Uint8Array(1)))
        .detail,
    ).toMatch(/^must\/\[hidden\] is not a field .*; title must be .*; found the number \[hidden\]$/);
  });
});

describe('a refusal that quotes', () => {
  it.each([
    ['a number for a secret', { webhook_secret: 1_234_567_812_345_678 }, '1234567812345678'],
    ['a number for a title', { title: 20_260_707.5 }, '20260707.5'],
    ['a number in a list', { participants: [40_404] }, '40404'],
    ['the secret elsewhere', { webhook_secret: '4040404040404040', title: 4_040_404_040_404_040 }, '4040404'],
  ])('hides %s', (_name, input, value) => {
    const detail = detailOf({ link, ...input });
    expect(detail).toContain('; found the number [hidden]');
    expect(detail).not.toContain(value);
  });

  it('shows other numbers', () => {
    expect(detailOf({ link, title: 'number', source: 2026 })).toMatch(/^source .*; found the number 2026$/);
  });

  it.each([
    ['as it is', 'Board of Acme'],
    ['in capitals', 'BOARD OF ACME'],
    ['in an address', 'Board%20of%20Acme'],
    ['behind a name of ours', 'title.Board of Acme'],
    ['in brackets', 'title[Board of Acme]'],
    ['on a second line', 'title\nBoard of Acme'],
  ])('hides a title that stands for a field, %s', (_name, field) => {
    const detail = detailOf({ link, title: 'Board of Acme', [field]: 1 });
    expect(detail).toContain('[hidden]');
    expect(detail).not.toMatch(/board|acme/i);
  });

  it.each([
    ['in base64', (secret: string) => Buffer.from(secret).toString('base64')],
    ['in hex', (secret: string) => Buffer.from(secret).toString('hex')],
    ['in an address twice', (secret: string) => encodeURIComponent(encodeURIComponent(secret))],
    ['split by marks that nobody sees', (secret: string) => Array.from(secret).join('\u200B')],
    ['as an index', (secret: string) => `title[${secret}]`],
  ])('hides a secret that stands for a field, %s', (_name, spell) => {
    for (const secret of ['Key/For=Tests+0<1>', '1234567812345678']) {
      const detail = detailOf({ link, webhook_secret: secret, [spell(secret)]: 1 });
      expect(detail).toMatch(/^\S*\[hidden\]\S* is not a field of /);
      expect(detail).not.toContain(spell(secret));
    }
  });

  it('quotes nothing but numbers, and those at its end, by any rule of the contract', () => {
    const marker = 'hostile marker';
    const number = 86_420.75;
    const shapes = [marker, `${marker}\0`, [marker], [[marker]], { [marker]: marker }, number, [number]];
    const said = listOperations().flatMap((operation) => {
      const fields = Object.values(operation.params).flatMap(({ shape }) => Object.keys(shape));
      return shapes.flatMap((shape) => {
        const built = buildRequest(operation, Object.fromEntries(fields.map((field) => [field, shape])));
        return built.ok ? [] : built.problems.map(({ field, message }) => `${field} ${message}`);
      });
    });
    expect(said.length).toBeGreaterThan(200);
    const quoting = said.filter((words) => /hostile|marker|86420/.test(words));
    expect(quoting).not.toEqual([]);
    expect(quoting.filter((words) => !/^[^;]*; found the number 86420\.75$/.test(words))).toEqual([]);
  });
});
