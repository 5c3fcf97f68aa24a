import { describe, expect, it } from 'vitest';

import { email } from './email/index.ts';
import { findMaxCallMs, settlePolicies } from './index.ts';
import { slack } from './slack/index.ts';

describe('findMaxCallMs', () => {
  it.each([
    // A long Notion page is twelve calls.
    [{}, 120_000],
    [{ notion: { timeoutMs: 20_000 } }, 240_000],
    // A mail server that has the mail gets five timeouts to say so.
    [{ email: { timeoutMs: 30_000 } }, 180_000],
    [{ folder: { timeoutMs: 300_000 } }, 300_000],
    // The default timeout of an export is a minute.
    [{ notion: { timeoutMs: 1000 }, email: { timeoutMs: 1000 } }, 60_000],
  ])('with %j is %i', (changes, expected) => {
    expect(findMaxCallMs(settlePolicies(changes))).toBe(expected);
  });
});

describe('settlePolicies', () => {
  it('has a policy for each destination, and the default for one that it does not know', () => {
    const policies = settlePolicies({ slack: { gapMs: undefined, concurrency: 3 } });
    expect(policies.of('slack')).toMatchObject({ gapMs: 1000, concurrency: 3, timeoutMs: 10_000 });
    expect(policies.of('notion')).toMatchObject({ gapMs: 400, graceMs: 30_000 });
    expect(policies.of('teams')).toMatchObject({ gapMs: 0, concurrency: 16 });
  });
});

it('knows whom a message is for: a person by all their names, or a channel', () => {
  const message = { text: 'x', blocks: [] };
  const person = { email: 'ann@example.com', userId: 'U0ANN' };
  expect(slack.readRecipients?.({ ...message, person }, 'U0ANN')).toEqual(['ann@example.com', 'U0ANN']);
  expect(slack.readRecipients?.(message, 'C0GENERAL')).toEqual([]);
  expect(email.readRecipients?.({ subject: '', text: '', html: '' }, 'bob@example.com')).toEqual([
    'bob@example.com',
  ]);
});
