import { describe, expect, it } from 'vitest';

import { listSchemaProblems } from '../schema-problems.ts';
import { listConditionPaths, recipeWhenKeys, recipeWhenSchema } from './when.ts';

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
    const { title, tag, external } = recipeWhenSchema.parse({
      title: '*Sales*',
      tag: ['sales', 'customer'],
      external: true,
    });
    expect([title?.wanted, tag?.wanted, external?.wanted]).toEqual([
      ['*Sales*'],
      ['sales', 'customer'],
      true,
    ]);
  });

  it.each([
    [
      { atLeast: '10m', atMost: '2h' },
      { atLeast: 600, atMost: 7200 },
    ],
    [{ atLeast: '90s' }, { atLeast: 90 }],
    [{ atMost: '1h30m' }, { atMost: 5400 }],
    [
      { atLeast: '0m', atMost: '0s' },
      { atLeast: 0, atMost: 0 },
    ],
  ])('reads the duration %j', (duration, expected) => {
    expect(recipeWhenSchema.parse({ duration }).duration?.wanted).toEqual(expected);
  });

  const durationBounds = 'atLeast, atMost or both, such as { atLeast: 10m, atMost: 2h }';
  const domains = 'a domain such as example.com, or a list of them';
  const duration = 'a duration such as 90s, 10m or 1h30m';
  const alternatives = 'a list of conditions, such as [{ tag: sales }, { title: "*Sales*" }]';

  it.each([
    [{ tag: [] }, 'when.tag', 'the name of a tag, or a list of them'],
    [{ source: 7 }, 'when.source', 'a platform such as zoom, or a list of them'],
    [{ source: ['zoom', ' '] }, 'when.source.1', 'a platform such as zoom, or a list of them'],
    [{ template: '' }, 'when.template', 'a template such as sales-meeting, or a list of them'],
    [{ participantDomain: 'ann@example.com' }, 'when.participantDomain', domains],
    [{ participantDomain: 'example' }, 'when.participantDomain', domains],
    [{ duration: { atLest: '10m' } }, 'when.duration', durationBounds],
    [{ duration: { atMost: '10m', min: '5m' } }, 'when.duration', durationBounds],
    [{ duration: '10m' }, 'when.duration', durationBounds],
    [{ duration: {} }, 'when.duration', durationBounds],
    [{ duration: { atLeast: 10 } }, 'when.duration.atLeast', duration],
    [{ duration: { atLeast: '' } }, 'when.duration.atLeast', duration],
    [{ duration: { atMost: '10 min' } }, 'when.duration.atMost', duration],
    [
      { duration: { atLeast: '2h', atMost: '1h' } },
      'when.duration',
      'an atLeast that is not more than its atMost',
    ],
    [{ participants: { atLeast: 2.5 } }, 'when.participants.atLeast', 'a whole number from 0 to 10000'],
    [{ participants: 3 }, 'when.participants', 'atLeast, atMost or both, such as { atLeast: 3 }'],
    [
      { participants: { atLeast: 3, atMost: 2 } },
      'when.participants',
      'an atLeast that is not more than its atMost',
    ],
    [{ external: 'yes' }, 'when.external', 'true or false'],
    [{ otherwise: false }, 'when.otherwise', 'true, or nothing'],
    [{ not: {} }, 'when.not', 'at least one condition'],
    [{ not: { tga: 'hr' } }, 'when.not.tga', `tag? (one of ${recipeWhenKeys.join(', ')})`],
    [{ not: { not: { tag: [] } } }, 'when.not.not.tag', 'the name of a tag, or a list of them'],
    [{ anyOf: [] }, 'when.anyOf', 'at least one condition'],
    [{ anyOf: { tag: 'a' } }, 'when.anyOf', alternatives],
    [{ anyOf: [{ tag: 'a' }, {}] }, 'when.anyOf.1', 'at least one condition'],
  ])('refuses %j', (when, setting, expected) => {
    expect(explain(when)).toEqual([[setting, expected]]);
  });

  it.each([
    [{ title: '!*HR*' }, 'when.title', 'not: { title: "*HR*" }'],
    [{ title: ['*', '! HR'] }, 'when.title.1', 'not: { title: "HR" }'],
    [{ tag: '!hr' }, 'when.tag', 'not: { tag: "hr" }'],
  ])('says how to exclude what %j means to exclude', (when, setting, expected) => {
    expect(explain(when)).toEqual([[setting, expected]]);
  });
});

describe('listConditionPaths', () => {
  it('says where each condition stands, however deep', () => {
    const when = {
      title: 'a',
      not: { tag: 'b', anyOf: [{ source: 'c' }, { not: { external: true } }] },
      anyOf: 7,
    };
    expect(listConditionPaths(when)).toEqual([
      { path: 'title', key: 'title' },
      { path: 'not.tag', key: 'tag' },
      { path: 'not.anyOf.0.source', key: 'source' },
      { path: 'not.anyOf.1.not.external', key: 'external' },
      { path: 'anyOf', key: 'anyOf' },
    ]);
  });
});
