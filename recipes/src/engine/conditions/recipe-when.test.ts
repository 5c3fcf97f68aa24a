import { describe, expect, it } from 'vitest';

import { listSchemaProblems } from '../../prebuilt/define-prebuilt-recipe.ts';
import { buildDigest } from '../../report/digest.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { bindRecipes } from '../configured-recipes.ts';
import type { BoundRecipe, MeetingEvent } from '../recipe.ts';
import { explainWhen, recipeWhenKeys, recipeWhenSchema } from './recipe-when.ts';
import { explainMatch } from './report-conditions.ts';

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

const destinations = {
  slack: { token: 'xoxb-test', channel: 'C0123456789' },
  mail: { smtpUrl: 'smtp://127.0.0.1:1', from: 'bot@example.com', to: ['ann@example.com'] },
};

const event: MeetingEvent = {
  kind: 'meeting.completed',
  meetingId: 'm_1',
  occurrence: '2026-07-07T12:00:00Z',
  endpoint: 'sales',
  receivedAt: '2026-07-07T12:00:01Z',
};

function bind(use: string, when: Readonly<Record<string, unknown>> = {}): BoundRecipe {
  const [recipe] = bindRecipes([{ name: 'a', use, when, with: {} }], destinations);
  if (recipe === undefined) throw new Error(`no prebuilt recipe ${use}`);
  return recipe;
}

describe('explainWhen', () => {
  it('says what a recipe asks for, and what its prebuilt recipe does', () => {
    const when = {
      endpoint: ['sales', 'hr'],
      title: '*Sales*',
      tag: ['sales', 'customer'],
      source: 'zoom',
      template: 'sales-meeting',
      participantDomain: 'example.com',
      duration: { atLeast: '10m', atMost: '2h' },
    };
    expect(explainWhen(bind('slack-recap', when))).toEqual([
      'the event is meeting.completed',
      'it came to the endpoint sales or hr',
      'its title fits "*Sales*"',
      'its transcript is not empty, when the meeting is completed',
      'it has the tag sales or customer',
      'it was held on zoom',
      'its report was made with the template sales-meeting',
      'somebody with an address at example.com takes part',
      'it lasts at least 10 min',
      'it lasts at most 2 h 00 min',
    ]);
    expect(explainWhen(bind('slack-recap', { event: 'meeting.updated' }))).toEqual([
      'the event is meeting.updated',
    ]);
    expect(explainWhen(bind('email-digest'))).toEqual(['it is due by the clock: 0 8 * * * (UTC)']);
  });
});

describe('explainMatch', () => {
  it('judges each condition by what is known', () => {
    const recipe = bind('slack-recap', { endpoint: 'hr', title: '*sync', tag: 'sales', source: 'meet' });
    expect(explainMatch(recipe, event, buildDigest(sampleReport))).toEqual([
      { condition: 'the event is meeting.completed', holds: true },
      { condition: 'it came to the endpoint hr', holds: false },
      { condition: 'its title fits "*sync"', holds: true },
      { condition: 'its transcript is not empty, when the meeting is completed', holds: true },
      { condition: 'it has the tag sales', holds: true },
      { condition: 'it was held on meet', holds: false },
    ]);
    expect(explainMatch(recipe, event).map(({ holds }) => holds)).toEqual([
      true,
      false,
      undefined,
      true,
      undefined,
      undefined,
    ]);
  });
});
