import { expect, it, vi } from 'vitest';

import { describeError } from './errors.ts';
import { createOutageLog, silentLog } from './log.ts';

it('tells of an outage once, again for a cause that the store names, and of its end with its length', () => {
  vi.useFakeTimers();
  const told: string[] = [];
  const tell = (level: string) => (fields: object, text: string) =>
    told.push(`${level} ${text} ${JSON.stringify(fields)}`);
  let nowMs = 0;
  const log = { ...silentLog, warn: tell('warn'), info: tell('info') };
  const outage = createOutageLog(log, { store: 's' }, () => nowMs);
  outage.recovered();
  for (let times = 0; times < 100; times++) outage.failed(new Error('connect ECONNREFUSED'));
  outage.failed(new Error('write EPIPE'));
  expect(outage.isAway()).toBe(true);
  nowMs = 7300;
  outage.recovered();
  vi.advanceTimersByTime(900);
  // The connections come back one after the other.
  outage.failed(new Error('connect ECONNREFUSED'));
  nowMs = 8240;
  outage.recovered();
  outage.recovered();
  vi.advanceTimersByTime(1000);
  outage.failed(Object.assign(new Error('the database system is starting up'), { code: '57P03' }));
  outage.failed(Object.assign(new Error('no password'), { code: '28P01' }));
  outage.failed(Object.assign(new Error('no password'), { code: '28P01' }));
  expect(told).toEqual([
    'warn queue store: unavailable, retrying {"store":"s","error":"connect ECONNREFUSED"}',
    'info queue store: available again {"store":"s","awaySeconds":8.2}',
    'warn queue store: unavailable, retrying {"store":"s","error":"57P03: the database system is starting up"}',
    'warn queue store: unavailable, retrying {"store":"s","error":"28P01: no password","cause":"refused"}',
  ]);
  vi.useRealTimers();
});

it('finds the words of an error that has none of its own', () => {
  expect(describeError(new AggregateError([new Error('first')], ''))).toBe('first');
  expect(describeError(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' }))).toBe(
    'ETIMEDOUT: too slow',
  );
  expect(describeError('text')).toBe('text');
});
