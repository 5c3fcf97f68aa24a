import { expect, it } from 'vitest';

import { judgeOutcome } from './judge-outcome.ts';

it.each([
  ['ECONNREFUSED', 'no connection to the receiver came about (ECONNREFUSED)'],
  [
    'CERT_HAS_EXPIRED',
    'no connection to the receiver came about (CERT_HAS_EXPIRED): its certificate does not hold',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'no connection to the receiver came about (ERR_TLS_CERT_ALTNAME_INVALID): its certificate does not hold',
  ],
])('waits until a connection comes about: %s', (code, cause) => {
  expect(judgeOutcome({ kind: 'unsent', code }, 'e1', 0)).toEqual({
    result: 'not_sent_retry',
    cause,
    contact: 'none',
  });
});

it.each([
  { kind: 'unanswered', code: 'ETIMEDOUT' } as const,
  { kind: 'answer', status: 408, retryAfter: undefined } as const,
  { kind: 'answer', status: 500, retryAfter: undefined } as const,
])('holds %o against nobody else', (outcome) => {
  expect(judgeOutcome(outcome, 'e1', 0)).toMatchObject({ contact: 'none' });
});

it.each([408, 425, 429, 500, 502, 503])('waits as long as an answer of %i asks for', (status) => {
  const outcome = { kind: 'answer', status, retryAfter: '7' } as const;
  expect(judgeOutcome(outcome, 'e1', 0)).toEqual({
    result: 'rate_limited',
    cause: `the receiver asks for a pause (${status})`,
    retryAfterMs: 7000,
  });
});

it('takes a pause that it cannot read for none', () => {
  const outcome = { kind: 'answer', status: 503, retryAfter: 'soon' } as const;
  expect(judgeOutcome(outcome, 'e1', 0)).toMatchObject({ result: 'not_sent_retry' });
});
