import { describe, expect, it } from 'vitest';

import { isTriedBy, judgeEffect } from './judge-effect.ts';

describe('judgeEffect', () => {
  it.each([
    // What the ledger knows, what became of the job, and what follows.
    ['sent', 'failed', 'sent'],
    ['skipped', undefined, 'skipped'],
    ['parked', 'failed', 'parked'],
    ['sending', 'active', 'under_way'],
    ['sending', 'failed', 'stranded'],
    ['failed', 'failed', 'failed'],
    ['failed', undefined, 'failed'],
    ['failed', 'waiting', 'waiting'],
    ['pending', 'delayed', 'waiting'],
    ['pending', 'active', 'under_way'],
    ['pending', 'failed', 'stranded'],
    ['unknown', undefined, 'stranded'],
    ['unknown', 'delayed', 'waiting'],
    [undefined, 'waiting', 'waiting'],
    [undefined, 'active', 'under_way'],
    [undefined, 'failed', 'failed'],
    [undefined, 'completed', 'ended'],
    [undefined, undefined, 'new'],
  ] as const)('of %s, its job %s, says %s', (state, jobState, verdict) => {
    const entry = state === undefined ? undefined : { state };
    const job = jobState === undefined ? undefined : { state: jobState };
    expect(judgeEffect(entry, job)).toBe(verdict);
  });
});

it('tells what has planned others from what had nothing to send', () => {
  const cause = '2 effects planned from the report';
  expect(judgeEffect({ state: 'skipped', cause }, undefined)).toBe('spread');
  expect(judgeEffect({ state: 'skipped', cause: 'the report names nobody' }, undefined)).toBe('skipped');
});

describe('isTriedBy', () => {
  it('is true only where nothing goes on by itself and nobody has to decide', () => {
    const verdicts = [
      'sent',
      'skipped',
      'spread',
      'under_way',
      'waiting',
      'parked',
      'ended',
      'failed',
      'stranded',
      'new',
    ] as const;
    expect(verdicts.filter((verdict) => isTriedBy(verdict))).toEqual(['failed', 'stranded', 'new']);
  });
});
