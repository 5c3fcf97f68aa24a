import { describe, expect, it } from 'vitest';

import type { Destinations } from '../destinations/settings.ts';
import { bindRecipes, checkConfiguredRecipe, standardRecipes, checkOtherwise } from './bind-recipes.ts';

const destinations = {
  slack: { token: 'xoxb-test', channel: 'C0123456789' },
  email: { smtpUrl: 'smtp://127.0.0.1:1', from: 'bot@example.com', to: ['ann@example.com'] },
};

describe('checkConfiguredRecipe', () => {
  it('finds nothing wrong with a recipe that can run', () => {
    const recipe = {
      name: 'sales-recap',
      use: 'slack-recap',
      when: { title: '*Sales*', event: ['meeting.completed'], isTranscriptEmpty: false },
      with: { channel: 'C0123', link: 'https://app.example.com/meetings/{meeting_id}' },
    };
    expect(checkConfiguredRecipe(recipe, destinations)).toEqual([]);
  });

  it('names the nearest known recipe, condition and option', () => {
    const wrongUse = { name: 'a', use: 'slack-recaps', when: { titel: 'x' }, with: {} };
    expect(checkConfiguredRecipe(wrongUse)).toEqual([
      {
        setting: 'recipes.a.when.titel',
        found: 'a setting that is not known',
        expected:
          'title? (one of event, endpoint, title, isTranscriptEmpty, tag, source, template, participantDomain, duration, participants, external, otherwise, not, anyOf)',
      },
      {
        setting: 'recipes.a.use',
        found: 'the unknown recipe "slack-recaps"',
        expected:
          'slack-recap? (one of slack-recap, slack-tasks, notion-page, notion-tasks, email-follow-up, email-digest, http-forward, archive-export, slack-alert, email-alert)',
      },
    ]);
    const wrongOption = { name: 'a', use: 'slack-recap', when: {}, with: { chanel: 'C0123' } };
    expect(checkConfiguredRecipe(wrongOption)).toEqual([
      {
        setting: 'recipes.a.with.chanel',
        found: 'a setting that is not known',
        expected: expect.stringMatching(/^channel\? \(one of channel, /),
      },
    ]);
  });

  it('refuses conditions that a recipe could never judge', () => {
    const when = { tag: 'sales', title: '*Sales*', not: { anyOf: [{ source: 'zoom' }, { title: 'HR*' }] } };
    expect(checkConfiguredRecipe({ name: 'a', use: 'slack-alert', when, with: {} })).toEqual([
      {
        setting: 'recipes.a.when.tag',
        found: 'a condition that cannot be judged',
        expected:
          'conditions on the event alone (event, endpoint, title, isTranscriptEmpty): slack-alert reads no report',
      },
      {
        setting: 'recipes.a.when.not.anyOf.0.source',
        found: 'a condition that cannot be judged',
        expected:
          'conditions on the event alone (event, endpoint, title, isTranscriptEmpty): slack-alert reads no report',
      },
    ]);
    const digest = (conditions: object) =>
      checkConfiguredRecipe({ name: 'a', use: 'email-digest', when: { ...conditions }, with: {} });
    expect(digest(when)).toEqual([]);
    expect(digest({ event: 'meeting.completed', otherwise: true })).toMatchObject([
      {
        setting: 'recipes.a.when.event',
        expected: 'conditions on meetings (such as endpoint, title, tag): email-digest runs by the clock',
      },
      { setting: 'recipes.a.when.otherwise' },
    ]);
  });

  it('refuses conditions that never hold, and says what to write', () => {
    const recap = { name: 'a', use: 'slack-recap', when: { isTranscriptEmpty: true }, with: {} };
    expect(checkConfiguredRecipe(recap)).toEqual([
      {
        setting: 'recipes.a.when.isTranscriptEmpty',
        found: 'a condition that never holds',
        expected:
          'false, or nothing: slack-recap sends nothing of a meeting without a transcript; slack-alert and email-alert tell of it',
      },
    ]);
    const rest = { name: 'rest', use: 'slack-recap', when: { otherwise: true }, with: {} };
    const all = { name: 'all', use: 'slack-recap', when: {}, with: {} };
    expect(checkOtherwise([rest, all], {})).toEqual([
      {
        setting: 'recipes.rest.when.otherwise',
        found: 'a condition that never holds',
        expected: 'conditions (when) on all, which takes every meeting',
      },
    ]);
    const tagged = { ...all, when: { tag: 'sales' } };
    expect(checkOtherwise([rest, tagged], {})).toEqual([]);
    expect(checkOtherwise([rest, all], { hr: ['rest'] })).toEqual([]);
    expect(checkOtherwise([rest, { ...all, use: 'slack-tasks' }], {})).toEqual([]);
  });

  it('says what a value should be and does not repeat it', () => {
    const recipe = {
      name: 'a',
      use: 'email-follow-up',
      when: { isTranscriptEmpty: 'no' },
      with: { to: ['ann@example.com', 'b@x.io\r\nBcc: evil@z.io'] },
    };
    const problems = checkConfiguredRecipe(recipe);
    expect(problems.map(({ setting, expected }) => [setting, expected])).toEqual([
      ['recipes.a.when.isTranscriptEmpty', 'true or false'],
      [
        'recipes.a.with.to.1',
        'an address such as name@example.com, organiser, internal, external, all, or a list of them',
      ],
    ]);
    expect(JSON.stringify(problems)).not.toContain('evil');
  });

  it('asks for the id of a channel, a private group or a direct message', () => {
    const check = (channel: string) =>
      checkConfiguredRecipe({ name: 'a', use: 'slack-alert', when: {}, with: { channel } });
    for (const id of ['C0123456789', 'G0123ABC', 'D0123ABC']) expect(check(id)).toEqual([]);
    const expected = 'the id of a channel, such as C0123456789, not its name';
    for (const wrong of ['#general', 'general', 'c0123456789', 'C', 'U0123456789', 'C0123 ']) {
      expect(check(wrong)).toMatchObject([{ expected }]);
    }
  });

  it('says which settings the destination of a recipe needs', () => {
    const recipe = { name: 'a', use: 'notion-page', when: {}, with: {} };
    expect(checkConfiguredRecipe(recipe, destinations)).toEqual([
      {
        setting: 'recipes.a.use',
        found: 'notion-page',
        expected: 'notion is not configured: set NOTION_TOKEN',
      },
      {
        setting: 'recipes.a.with.dataSource',
        found: 'nothing',
        expected: 'the id of a data source, or NOTION_DATA_SOURCE_ID',
      },
    ]);
  });

  it.each([
    ['slack-recap', {}, 'with.channel: the id of a channel, or SLACK_CHANNEL'],
    ['slack-alert', {}, 'with.channel: the id of a channel, or SLACK_CHANNEL'],
    ['slack-recap', { channel: 'C0123' }, undefined],
    ['slack-tasks', {}, undefined],
    ['notion-page', {}, 'with.dataSource: the id of a data source, or NOTION_DATA_SOURCE_ID'],
    ['notion-page', { dataSource: '1f6a9c2e-8d40-4b7e-9a13-0c5d7e8f9a01' }, undefined],
    ['notion-tasks', {}, 'with.dataSource: the id of a data source'],
  ])('needs a target for %s with %j if no variable names one', (use, options, problem) => {
    const recipe = { name: 'a', use, when: {}, with: options };
    const tokens = { slack: { token: 'xoxb-test' }, notion: { token: 'ntn_test' } };
    const problems = checkConfiguredRecipe(recipe, tokens);
    expect(problems.map(({ setting, expected }) => `${setting}: ${expected}`)).toEqual(
      problem === undefined ? [] : [`recipes.a.${problem}`],
    );
    const ids = { channel: 'C0123', dataSourceId: '1f6a9c2e-8d40-4b7e-9a13-0c5d7e8f9a01' };
    const all = { slack: { ...tokens.slack, ...ids }, notion: { ...tokens.notion, ...ids } };
    expect(checkConfiguredRecipe(recipe, all)).toEqual(use === 'notion-tasks' ? problems : []);
  });
});

describe('standardRecipes', () => {
  it('gives each destination its recipe and one alert', () => {
    expect(nameStandard(destinations)).toEqual(['slack-recap', 'email-follow-up', 'slack-alert']);
    expect(nameStandard({ email: destinations.email })).toEqual(['email-follow-up', 'email-alert']);
    expect(nameStandard({ notion: { token: 't', dataSourceId: 'd' } })).toEqual(['notion-page']);
    expect(nameStandard({})).toEqual([]);
  });
});

function nameStandard(configured: Destinations): string[] {
  return standardRecipes(configured).map(({ name }) => name);
}

describe('bindRecipes', () => {
  it('refuses to start with recipes that cannot run, and says why', () => {
    const recipe = { name: 'a', use: 'notion-page', when: {}, with: {} };
    expect(() => bindRecipes([recipe], {})).toThrow(/recipes\.a\.use: found notion-page; expected/);
  });
});
