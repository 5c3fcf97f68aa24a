import { expect, it } from 'vitest';

import { isPassing, outlastOutage, writeRows } from './postgres-link.ts';

const withCode = (code: string): Error => Object.assign(new Error('refused'), { code });

it.each([
  '08006',
  '57P01',
  '57P03',
  '53300',
  '40P01',
  '55P03',
  '57014',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
])('takes %s for something that passes', (code) => {
  expect(isPassing(withCode(code))).toBe(true);
});

it.each(['22021', '23505', '42P01', '42501'])('takes %s for something that stays', (code) => {
  expect(isPassing(withCode(code))).toBe(false);
});

it('takes an error without a code for one of the connection', () => {
  expect(isPassing(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isPassing('odd')).toBe(false);
});

it('does a step again until the server is back', async () => {
  let tries = 0;
  const step = async (): Promise<string> => {
    tries += 1;
    if (tries < 3) throw withCode('ECONNREFUSED');
    return 'done';
  };
  expect(await outlastOutage(step, () => false)).toBe('done');
  expect(tries).toBe(3);
});

it('does not do a step again that the server refuses, nor while closing', async () => {
  let tries = 0;
  const fail = (code: string) => async (): Promise<void> => {
    tries += 1;
    throw withCode(code);
  };
  await expect(outlastOutage(fail('42P01'), () => false)).rejects.toThrow('refused');
  await expect(outlastOutage(fail('ECONNREFUSED'), () => true)).rejects.toThrow('refused');
  expect(tries).toBe(2);
});

it.each([
  [[{ at: 1, text: 'a"\n\u{1F600}' }], '[{"at":1,"text":"a\\"\\n\u{1F600}"}]'],
  [[{ text: 'a\0b' }, { text: '\uD800' }], '[{"text":"a\u{FFFD}b"},{"text":"\u{FFFD}"}]'],
  [[{ text: '\uDC00\u0001' }], '[{"text":"\u{FFFD}\\u0001"}]'],
  [[{ text: String.raw`\u0000` }], String.raw`[{"text":"\\u0000"}]`],
])('writes %j', (rows, written) => {
  expect(writeRows(rows)).toBe(written);
});
