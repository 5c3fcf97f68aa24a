import { expect, it } from 'vitest';

import { describeError } from './errors.ts';
import { createOutageLog, silentLog } from './log.ts';

it('tells of an outage once, again after a minute, and of its end', () => {
  const told: string[] = [];
  const tell = (level: string) => (fields: object, text: string) =>
    told.push(`${level} ${text} ${JSON.stringify(fields)}`);
  let nowMs = 0;
  const outage = createOutageLog(
    { ...silentLog, warn: tell('warn'), info: tell('info') },
    { store: 's' },
    () => nowMs,
  );
  outage.recovered();
  for (let times = 0; times < 100; times++) outage.failed(new Error('connect ECONNREFUSED'));
  nowMs = 60_000;
  outage.failed(new Error('connect ECONNREFUSED'));
  outage.recovered();
  outage.recovered();
  expect(told).toEqual([
    'warn queue store: unavailable, retrying {"store":"s","error":"connect ECONNREFUSED"}',
    'warn queue store: unavailable, retrying {"store":"s","error":"connect ECONNREFUSED"}',
    'info queue store: available again {"store":"s"}',
  ]);
});

it('finds the words of an error that has none of its own', () => {
  expect(describeError(new AggregateError([new Error('first')], ''))).toBe('first');
  expect(describeError(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' }))).toBe(
    'ETIMEDOUT: too slow',
  );
  expect(describeError('text')).toBe('text');
});
