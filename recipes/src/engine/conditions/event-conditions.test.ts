import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findPrebuiltRecipe } from '../../prebuilt/list-prebuilt-recipes.ts';
import type { MeetingEvent, PrebuiltRecipe, RecipeWhen } from '../recipe.ts';
import { matchRecipes, matchTitle } from './event-conditions.ts';

const event: MeetingEvent = {
  kind: 'meeting.completed',
  meetingId: 'm_1',
  occurrence: '2026-07-07T12:00:00Z',
  endpoint: 'sales',
  title: 'Weekly Sales sync',
  receivedAt: '2026-07-07T12:00:01Z',
};

interface Matchable {
  readonly name: string;
  readonly prebuilt: PrebuiltRecipe;
  readonly when: RecipeWhen;
}

function recipe(name: string, use: string, when: RecipeWhen = {}): Matchable {
  const prebuilt = findPrebuiltRecipe(use);
  if (prebuilt === undefined) throw new Error(`no prebuilt recipe ${use}`);
  return { name, prebuilt, when };
}

const recap = recipe('recap', 'slack-recap');

const alert = recipe('alert', 'slack-alert');

function matchNames(
  happened: MeetingEvent,
  recipes: readonly Matchable[],
  endpoints?: Record<string, string[]>,
): string[] {
  return matchRecipes(happened, recipes, endpoints).map(({ name }) => name);
}

describe('matchRecipes', () => {
  it('gives a completed meeting to the recap and a failed one to the alert', () => {
    expect(matchNames(event, [recap, alert])).toEqual(['recap']);
    expect(matchNames({ ...event, kind: 'meeting.failed' }, [recap, alert])).toEqual(['alert']);
  });

  it('gives a completed meeting without a transcript to the alert alone', () => {
    expect(matchNames({ ...event, isTranscriptEmpty: true }, [recap, alert])).toEqual(['alert']);
    expect(matchNames({ ...event, isTranscriptEmpty: false }, [recap, alert])).toEqual(['recap']);
  });

  it('gives an unknown kind to a recipe that names it and to nobody else', () => {
    const named = recipe('named', 'slack-recap', { event: ['meeting.updated'] });
    expect(matchNames({ ...event, kind: 'meeting.updated' }, [recap, alert, named])).toEqual(['named']);
    expect(matchNames(event, [named])).toEqual([]);
  });

  it('keeps to the endpoint, the title and the transcript a recipe asks for', () => {
    expect(matchNames(event, [recipe('a', 'slack-recap', { endpoint: 'sales' })])).toEqual(['a']);
    expect(matchNames(event, [recipe('a', 'slack-recap', { endpoint: ['hr', 'it'] })])).toEqual([]);
    expect(matchNames(event, [recipe('a', 'slack-recap', { title: '*sales*' })])).toEqual(['a']);
    expect(matchNames(event, [recipe('a', 'slack-recap', { title: ['Daily*', 'HR*'] })])).toEqual([]);
    const empty = recipe('a', 'slack-recap', { isTranscriptEmpty: true });
    expect(matchNames(event, [empty])).toEqual([]);
    expect(matchNames({ ...event, isTranscriptEmpty: true }, [empty])).toEqual(['a']);
  });

  it('leaves a title that the event does not hold to the report, for recipes that read one', () => {
    const { title: _title, ...untitled } = event;
    const when = { title: '*sales*' };
    expect(matchNames(untitled, [recipe('a', 'slack-recap', when)])).toEqual(['a']);
    const alerting = { ...untitled, kind: 'meeting.failed' };
    expect(matchNames(alerting, [recipe('a', 'slack-alert', when)])).toEqual([]);
  });

  it('runs the recipes an endpoint names, and all of them where it names none', () => {
    const other = recipe('other', 'notion-page');
    expect(matchNames(event, [recap, other], { sales: ['other'] })).toEqual(['other']);
    expect(matchNames(event, [recap, other], { hr: ['other'] })).toEqual(['recap', 'other']);
    expect(matchNames({ ...event, endpoint: 'constructor' }, [recap], {})).toEqual(['recap']);
  });
});

describe('matchTitle', () => {
  it.each([
    ['Weekly Sales sync', '*sales*', true],
    ['Weekly Sales sync', 'sales*', false],
    ['Q1 review', 'q? review', true],
    ['Q12 review', 'q? review', false],
    ['', '*', true],
    ['', '', true],
    ['', '?', false],
    ['a.c', 'a.c', true],
    ['abc', 'a.c', false],
    ['abcabc', '*abc', true],
    ['😀 party', '? party', true],
    ['a*b', 'a*b', true],
    ['Cafe\u0301 weekly', '*caf\u00E9*', true],
    ['Caf\u00E9 weekly', 'cafe\u0301*', true],
    ['Cafe\u0301', 'caf?', true],
    [`${'x'.repeat(499)}y and more`, '*y', true],
    [`${'x'.repeat(600)} sales`, '*sales*', false],
  ])('%j with %j: %j', (title, pattern, expected) => {
    expect(matchTitle(title, pattern)).toBe(expected);
  });

  it('finds any part of a title between two stars', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, middle, after) => {
        expect(matchTitle(before + middle + after, `*${middle}*`)).toBe(true);
      }),
    );
  });

  it('takes a hostile pattern in little time', () => {
    const startedMs = performance.now();
    expect(matchTitle('a'.repeat(1_000_000), `${'*a'.repeat(50)}*b`)).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });
});
