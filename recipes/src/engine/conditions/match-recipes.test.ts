import { describe, expect, it } from 'vitest';

import { bindRecipes } from '../../prebuilt/bind-recipes.ts';
import { buildDigest, type Digest } from '../../report/digest.ts';
import { sampleEvent, sampleReport } from '../../testing/sample-report.ts';
import type { BoundRecipe, ConfiguredRecipe, MeetingEvent } from '../recipe.ts';
import { explainMismatch, explainWhen, judgeRecipe, matchRecipes, takesMeeting } from './match-recipes.ts';

const event = { ...sampleEvent, endpoint: 'sales', title: 'Weekly Sales sync' };

const { title: _title, ...untitled } = event;

const destinations = {
  slack: { token: 'xoxb-test', channel: 'C0123456789' },
  notion: { token: 'ntn', dataSourceId: 'source' },
  email: { smtpUrl: 'smtp://127.0.0.1:1', from: 'bot@example.com', to: ['ann@example.com'] },
};

function recipe(name: string, use: string, when: object = {}): ConfiguredRecipe {
  return { name, use, when: { ...when }, with: {} };
}

function bind(use: string, when: object = {}, others: readonly ConfiguredRecipe[] = []): BoundRecipe {
  const [bound] = bindRecipes([recipe('a', use, when), ...others], destinations);
  if (bound === undefined) throw new Error(`no prebuilt recipe ${use}`);
  return bound;
}

const recap = recipe('recap', 'slack-recap');

const alert = recipe('alert', 'slack-alert');

function matchNames(
  happened: MeetingEvent,
  recipes: readonly ConfiguredRecipe[],
  endpoints?: Record<string, string[]>,
): string[] {
  return matchRecipes(happened, bindRecipes(recipes, destinations, endpoints)).map(({ name }) => name);
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

  it('gives an unknown kind only to a recipe that names it', () => {
    const named = recipe('named', 'slack-recap', { event: ['meeting.updated'] });
    expect(matchNames({ ...event, kind: 'meeting.updated' }, [recap, alert, named])).toEqual(['named']);
    expect(matchNames(event, [named])).toEqual([]);
  });

  it.each([
    [{ endpoint: 'sales' }, true],
    [{ endpoint: ['hr', 'it'] }, false],
    [{ title: '*sales*' }, true],
    [{ title: ['Daily*', 'HR*'] }, false],
    [{ not: { title: '*sales*' } }, false],
    [{ not: { title: '*hr*' } }, true],
    [{ not: { title: '*sales*', endpoint: 'hr' } }, true],
    [{ anyOf: [{ title: 'HR*' }, { endpoint: 'sales' }] }, true],
    [{ anyOf: [{ title: 'HR*' }, { endpoint: 'hr' }] }, false],
    // The report will tell.
    [{ tag: 'sales' }, true],
    [{ not: { tag: 'hr' } }, true],
    [{ anyOf: [{ title: 'HR*' }, { tag: 'hr' }] }, true],
    [{ not: { anyOf: [{ title: '*sales*' }, { tag: 'hr' }] } }, false],
  ])('judges %j by the event: %j', (when, isTaken) => {
    expect(matchNames(event, [recipe('a', 'slack-recap', when)])).toEqual(isTaken ? ['a'] : []);
  });

  it('leaves a title that the event does not hold to the report, for recipes that read one', () => {
    const failed = { ...untitled, kind: 'meeting.failed' };
    for (const when of [{ title: '*sales*' }, { not: { title: '*hr*' } }]) {
      expect(matchNames(untitled, [recipe('a', 'slack-recap', when)])).toEqual(['a']);
      expect(matchNames(failed, [recipe('a', 'slack-alert', when)])).toEqual([]);
    }
  });

  it('runs the recipes an endpoint names, and all of them where it names none', () => {
    const other = recipe('other', 'notion-page');
    expect(matchNames(event, [recap, other], { sales: ['other'] })).toEqual(['other']);
    expect(matchNames(event, [recap, other], { hr: ['other'] })).toEqual(['recap', 'other']);
    expect(matchNames({ ...event, endpoint: 'constructor' }, [recap], {})).toEqual(['recap']);
  });
});

const digest = buildDigest(sampleReport);

const client = { name: 'Cleo', email: 'cleo@client.example' };

function withPeople(...participants: { readonly name: string; readonly email?: string }[]): Digest {
  return buildDigest({ ...sampleReport, participants });
}

describe('explainMismatch', () => {
  it.each([
    {},
    { title: '*SYNC' },
    { isTranscriptEmpty: false },
    { tag: ['other', 'Sales'] },
    { source: 'Zoom' },
    { template: 'sales-meeting' },
    { template: ['x', 'Sales  meeting'] },
    { template: 't_1' },
    { participantDomain: 'EXAMPLE.com' },
    { participantDomain: ['@example.com'] },
    { duration: { atLeast: '65m', atMost: '65m' } },
    { participants: { atLeast: 1 } },
    { not: { tag: 'hr', source: 'zoom' } },
    { anyOf: [{ tag: 'hr' }, { source: 'zoom', tag: 'sales' }] },
  ])('takes the meeting with %j', (when) => {
    expect(explainMismatch(bind('slack-recap', when), untitled, digest)).toBeUndefined();
  });

  it.each([
    [{ title: ['HR*', 'Daily*'] }, 'its title does not fit "HR*" or "Daily*"'],
    [{ tag: 'sale' }, 'it does not have the tag sale'],
    [{ tag: ['hr', 'customer'] }, 'it does not have the tag hr or customer'],
    [{ source: ['meet', 'teams'] }, 'it was not held on meet or teams'],
    [{ template: ['daily', 'team-sync'] }, 'its report was not made with the template daily or team-sync'],
    [{ duration: { atLeast: '2h' } }, 'it does not last at least 2 h 00 min'],
    [{ duration: { atMost: '90s' } }, 'it does not last at most 90 s'],
    [
      { participants: { atLeast: 9, atMost: 12 } },
      'the number of participants is not at least 9 and at most 12',
    ],
    [{ tag: 'sales', source: 'meet' }, 'it was not held on meet'],
    [{ not: { tag: 'sales' } }, 'it has the tag sales'],
    [{ not: { tag: 'sales', source: 'zoom' } }, 'it has the tag sales, and it was held on zoom'],
    [
      { anyOf: [{ tag: 'hr' }, { source: 'meet', title: 'x' }] },
      'it does not have the tag hr, and (its title does not fit "x", or it was not held on meet)',
    ],
  ])('says why it does not with %j', (when, why) => {
    expect(explainMismatch(bind('slack-recap', when), untitled, digest)).toBe(why);
  });

  it('takes no meeting of which the report does not tell what is asked, whether for or against it', () => {
    const { durationSeconds: _duration, source: _source, speakers: _speakers, ...rest } = sampleReport;
    const unknown = buildDigest({ ...rest, speakers: [], participants: [{ name: 'Bob' }] });
    const unnamed = buildDigest({ ...rest, speakers: [], participants: [] });
    for (const [when, about] of [
      [{ duration: { atMost: '9s' } }, unknown],
      [{ source: 'zoom' }, unknown],
      [{ participantDomain: 'example.com' }, unknown],
      [{ participants: { atLeast: 1 } }, unnamed],
    ] as const) {
      expect(explainMismatch(bind('slack-recap', when), untitled, about)).toMatch(
        /^it is not known whether /,
      );
      expect(explainMismatch(bind('slack-recap', { not: when }), untitled, about)).toMatch(
        /^it is not known/,
      );
    }
    expect(
      explainMismatch(
        bind('slack-recap', { participantDomain: 'other.example' }),
        untitled,
        withPeople(client),
      ),
    ).toBe('no participant has an address at other.example');
  });

  it('leaves the title to the event where that has one', () => {
    const renamed = { ...digest, title: 'What we talked about' };
    const sales = bind('slack-recap', { title: '*Sales*' });
    expect(explainMismatch(sales, event, renamed)).toBeUndefined();
    expect(explainMismatch(sales, untitled, renamed)).toBe('its title does not fit "*Sales*"');
  });
});

describe('external', () => {
  it.each([
    [[{ name: 'Ann', email: 'ann@example.com' }], false],
    [[{ name: 'Ann', email: 'ann@EXAMPLE.com' }, client], true],
    [[{ name: 'Ann', email: 'ann@team.example.com' }], true],
    [[{ name: 'Ann', email: 'ann@example.com' }, { name: 'Bob' }], true],
    [[], true],
  ])('with %j: %j', (participants, isExternal) => {
    const people = withPeople(...participants);
    expect(takesMeeting(bind('slack-recap', { external: true }), event, people)).toBe(isExternal);
    expect(takesMeeting(bind('slack-recap', { external: false }), event, people)).toBe(!isExternal);
  });

  it('goes by the domains of the settings, also without a mail server', () => {
    const { slack } = destinations;
    const configured = [recipe('a', 'slack-recap', { external: false })];
    const [bound] = bindRecipes(configured, { slack, internalDomains: ['client.example'] });
    expect(bound && takesMeeting(bound, event, withPeople(client))).toBe(true);
    expect(() => bindRecipes(configured, { slack })).toThrow(
      'recipes.a.when.external: found a condition that cannot be judged; expected mail.internal_domains',
    );
  });
});

describe('participants', () => {
  it('counts who spoke where the report names fewer participants', () => {
    const spoken = buildDigest({
      ...sampleReport,
      participants: [],
      speakers: [{ name: 'Ann' }, { name: 'Bob' }],
    });
    expect(takesMeeting(bind('slack-recap', { participants: { atMost: 2 } }), event, spoken)).toBe(true);
    expect(takesMeeting(bind('slack-recap', { not: { participants: { atMost: 2 } } }), event, spoken)).toBe(
      false,
    );
  });
});

describe('otherwise', () => {
  const sales = recipe('sales', 'slack-recap', { tag: 'sales' });
  const rest = recipe('rest', 'slack-recap', { otherwise: true });

  function takers(
    about: Digest | undefined,
    others: readonly ConfiguredRecipe[],
    endpoints?: Record<string, string[]>,
  ) {
    return bindRecipes([rest, ...others], destinations, endpoints)
      .filter((one) => takesMeeting(one, event, about) === true)
      .map(({ name }) => name);
  }

  it('takes what no other recipe takes', () => {
    expect(takers(digest, [sales])).toEqual(['sales']);
    expect(takers({ ...digest, tags: [] }, [sales])).toEqual(['rest']);
  });

  it('waits for the report where the others need it', () => {
    expect(takers(undefined, [sales])).toEqual([]);
    expect(matchNames(event, [rest, sales])).toEqual(['rest', 'sales']);
    expect(matchNames(event, [rest, recipe('all', 'slack-recap', { title: '*sales*' })])).toEqual(['all']);
  });

  it('asks only recipes that tell the same at the same destination and endpoint', () => {
    const others = [recipe('page', 'notion-page'), recipe('tasks', 'slack-tasks'), alert];
    expect(takers(digest, others)).toEqual(['rest', 'page', 'tasks']);
    expect(takers(digest, [sales], { sales: ['rest'] })).toEqual(['rest']);
    expect(takers(digest, [recipe('second', 'slack-recap', { otherwise: true })])).toEqual([
      'rest',
      'second',
    ]);
  });
});

describe('explainWhen', () => {
  it('says what a recipe asks for, and what its prebuilt recipe does', () => {
    const when = {
      endpoint: ['sales', 'hr'],
      title: '*Sales*',
      participants: { atLeast: 3 },
      not: { anyOf: [{ title: 'HR*' }, { tag: 'hr' }] },
    };
    expect(explainWhen(bind('slack-recap', when))).toEqual([
      'the event is meeting.completed',
      'it came to the endpoint sales or hr',
      'its title fits "*Sales*"',
      'the number of participants is at least 3',
      'its title does not fit "HR*", and it does not have the tag hr',
      'its transcript is not empty, when the meeting is completed',
    ]);
    expect(explainWhen(bind('slack-recap', { event: 'meeting.updated' }))).toEqual([
      'the event is meeting.updated',
    ]);
    expect(explainWhen(bind('email-digest', { not: { tag: 'hr' } }))).toEqual([
      'it is due by the clock: 0 8 * * * (UTC)',
      'of each meeting: it does not have the tag hr',
    ]);
  });
});

describe('judgeRecipe', () => {
  it('judges each condition by what is known, and shows the value it saw', () => {
    const when = {
      endpoint: 'hr',
      title: '*sync',
      tag: 'sales',
      source: 'meet',
      participantDomain: 'x.example',
    };
    const people = withPeople({ name: 'Ann', email: 'ann@example.com' }, client, { name: 'Bob' });
    expect(
      judgeRecipe(bind('slack-recap', when), event, people).map(({ condition, holds, saw }) => [
        condition,
        holds,
        saw,
      ]),
    ).toEqual([
      ['the endpoint sales runs it', true, 'sales'],
      ['the event is meeting.completed', true, 'meeting.completed'],
      ['it came to the endpoint hr', false, 'sales'],
      ['its title fits "*sync"', true, '"Weekly Sales sync"'],
      ['it has the tag sales', true, 'sales'],
      ['it was held on meet', false, 'zoom'],
      [
        'a participant has an address at x.example',
        undefined,
        'client.example, example.com, 1 without an address',
      ],
      ['its transcript is not empty, when the meeting is completed', true, 'a transcript'],
    ]);
    expect(judgeRecipe(bind('slack-recap', when), event).map(({ holds }) => holds)).toEqual([
      true,
      true,
      false,
      true,
      undefined,
      undefined,
      undefined,
      true,
    ]);
  });
});
