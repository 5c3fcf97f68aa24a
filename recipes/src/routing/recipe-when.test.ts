import { describe, expect, it } from 'vitest';

import { listSchemaProblems } from '../schema-problems.ts';
import { recipeWhenKeys, recipeWhenSchema } from './recipe-when.ts';

function explain(when: unknown): readonly (readonly string[])[] {
  const parsed = recipeWhenSchema.safeParse(when);
  if (parsed.success) return [];
  return listSchemaProblems(parsed.error, 'when', recipeWhenKeys).map(({ setting, expected }) => [
    setting,
    expected,
  ]);
}

describe('recipeWhenSchema', () => {
  it('takes one of each condition or a list of them', () => {
    const one = {
      event: 'meeting.completed',
      endpoint: 'sales',
      title: '*Sales*',
      isTranscriptEmpty: false,
      tag: 'sales',
      source: 'zoom',
      template: 'sales-meeting',
      participantDomain: '@example.com',
    };
    expect(recipeWhenSchema.parse(one)).toEqual(one);
    const lists = { tag: ['sales', 'customer'], participantDomain: ['example.com', 'bücher.example'] };
    expect(recipeWhenSchema.parse(lists)).toEqual(lists);
  });

  it.each([
    [
      { atLeast: '10m', atMost: '2h' },
      { atLeastSeconds: 600, atMostSeconds: 7200 },
    ],
    [{ atLeast: '90s' }, { atLeastSeconds: 90 }],
    [{ atMost: '1h30m' }, { atMostSeconds: 5400 }],
    [
      { atLeast: '0m', atMost: '0s' },
      { atLeastSeconds: 0, atMostSeconds: 0 },
    ],
  ])('reads the duration %j', (duration, expected) => {
    expect(recipeWhenSchema.parse({ duration })).toEqual({ duration: expected });
  });

  it.each([
    [{ tag: [] }, 'when.tag', 'the name of a tag, or a list of them'],
    [{ source: 7 }, 'when.source', 'a platform such as zoom, or a list of them'],
    [{ source: ['zoom', ' '] }, 'when.source.1', 'a platform such as zoom, or a list of them'],
    [
      { duration: { atLest: '10m' } },
      'when.duration',
      'atLeast, atMost or both, such as { atLeast: 10m, atMost: 2h }',
    ],
    [
      { duration: { atMost: '10m', min: '5m' } },
      'when.duration',
      'atLeast, atMost or both, such as { atLeast: 10m, atMost: 2h }',
    ],
    [{ template: '' }, 'when.template', 'a template such as sales-meeting, or a list of them'],
    [
      { participantDomain: 'ann@example.com' },
      'when.participantDomain',
      'a domain such as example.com, or a list of them',
    ],
    [
      { participantDomain: 'example' },
      'when.participantDomain',
      'a domain such as example.com, or a list of them',
    ],
    [{ duration: '10m' }, 'when.duration', 'atLeast, atMost or both, such as { atLeast: 10m, atMost: 2h }'],
    [{ duration: {} }, 'when.duration', 'atLeast, atMost or both, such as { atLeast: 10m, atMost: 2h }'],
    [{ duration: { atLeast: 10 } }, 'when.duration.atLeast', 'a duration such as 90s, 10m or 1h30m'],
    [{ duration: { atLeast: '' } }, 'when.duration.atLeast', 'a duration such as 90s, 10m or 1h30m'],
    [{ duration: { atMost: '10 min' } }, 'when.duration.atMost', 'a duration such as 90s, 10m or 1h30m'],
    [
      { duration: { atLeast: '2h', atMost: '1h' } },
      'when.duration',
      'an atLeast that is not longer than its atMost',
    ],
  ])('refuses %j', (when, setting, expected) => {
    expect(explain(when)).toEqual([[setting, expected]]);
  });
});
