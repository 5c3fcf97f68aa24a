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
  { kind: 'answer', status: 408, retryAfter: undefined, text: '' } as const,
  { kind: 'answer', status: 500, retryAfter: undefined, text: '' } as const,
])('holds %o against nobody else', (outcome) => {
  expect(judgeOutcome(outcome, 'e1', 0)).toMatchObject({ contact: 'none' });
});

it.each([408, 425, 429, 500, 502, 503])('waits as long as an answer of %i asks for', (status) => {
  const outcome = { kind: 'answer', status, retryAfter: '7', text: '' } as const;
  expect(judgeOutcome(outcome, 'e1', 0)).toEqual({
    result: 'rate_limited',
    cause: `the receiver asks for a pause (${status})`,
    retryAfterMs: 7000,
  });
});

it('takes a pause that it cannot read for none', () => {
  const outcome = { kind: 'answer', status: 503, retryAfter: 'soon', text: '' } as const;
  expect(judgeOutcome(outcome, 'e1', 0)).toMatchObject({ result: 'not_sent_retry' });
});

it.each([
  [200, 'n8n is starting up. Please wait', 'not_sent_retry'],
  [404, '{"code":404,"message":"The requested webhook is not registered"}', 'not_sent_retry'],
  [200, '{"status":"accepted"}', 'sent'],
  [404, '{"status":"unknown"}', 'permanent'],
  [401, '{"error":"unauthorized"}', 'permanent'],
  [503, '', 'not_sent_retry'],
])('takes %i %s of something in front for what it is: %s', (status, text, result) => {
  const outcome = { kind: 'answer', status, retryAfter: undefined, text } as const;
  expect(judgeOutcome(outcome, 'e1', 0, '"status":')).toMatchObject({ result });
});

it('says what it missed', () => {
  const outcome = { kind: 'answer', status: 200, retryAfter: undefined, text: 'starting' } as const;
  expect(judgeOutcome(outcome, 'e1', 0, '"status":')).toEqual({
    result: 'not_sent_retry',
    cause: 'what answers (200) is not the receiver: its answer does not hold what is expected',
    contact: 'none',
  });
});

it('cannot tell of an answer that broke off before it held what is expected', () => {
  const outcome = { kind: 'answer', status: 200, retryAfter: undefined, text: '{"sta', isCut: true } as const;
  expect(judgeOutcome(outcome, 'e1', 0, '"status":')).toEqual({
    result: 'unknown',
    cause: 'an answer (200) broke off before it held what is expected',
    contact: 'none',
  });
  expect(judgeOutcome({ ...outcome, text: '{"status":' }, 'e1', 0, '"status":')).toMatchObject({
    result: 'sent',
  });
});
