import type { EffectJob, NewEffect } from '@aftermeet/queue';
import { expect, it } from 'vitest';

import { settlePolicies } from '../destinations/index.ts';
import { describeRateLimit, queueEffects } from './queue-effects.ts';

const event = { kind: 'meeting.completed', meetingId: 'm', occurrence: '', endpoint: '', receivedAt: '' };

function writeJob(effectKey: string): EffectJob {
  return { effectKey, destination: 'slack', recipe: 'r', target: 'C0123ABCD', part: 0, event };
}

it('gives each address that is posted to a rate limit of its own', () => {
  const nameLimit = (target: string): string =>
    describeRateLimit({ destination: 'http', target }, settlePolicies()).name;
  expect(nameLimit('a.example.com#1f0c9a2b')).toBe('http a.example.com#1f0c9a2b');
  expect(nameLimit('b.example.com#1f0c9a2b')).toBe('http b.example.com#1f0c9a2b');
});

it('reserves no second slot for an effect that is queued already', async () => {
  const added: NewEffect[] = [];
  let reserved = 0;
  const tools = {
    queue: {
      addEffects: async (effects: readonly NewEffect[]) => void added.push(...effects),
      findQueued: async () => new Set(added.map(({ job }) => job.effectKey)),
    },
    rateLimits: {
      reserve: async (limits: readonly unknown[]) =>
        limits.map(() => {
          reserved += 1;
          return { slotMs: reserved, atMs: 1000 * reserved, place: 10 * reserved };
        }),
    },
    policies: settlePolicies(),
    clock: () => 0,
  };
  await queueEffects([writeJob('a'), writeJob('b')], tools, { mayBeQueued: true });
  await queueEffects([writeJob('a'), writeJob('b'), writeJob('c')], tools, { mayBeQueued: true });
  expect(added.map(({ job, delayMs, place }) => [job.effectKey, job.slotMs, delayMs, place])).toEqual([
    ['a', 1, 1000, 10],
    ['b', 2, 2000, 20],
    ['c', 3, 3000, 30],
  ]);
});
