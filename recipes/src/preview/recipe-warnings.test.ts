import { describe, expect, it } from 'vitest';

import type { ConfiguredRecipe } from '../engine/recipe.ts';
import { explainRecipes } from './explain-recipes.ts';

const destinations = {
  slack: { token: 'xoxb-1', channel: 'C0MEETINGS' },
  email: { smtpUrl: 'smtp://127.0.0.1', from: 'notes@example.com', to: [] },
};

const recipe = (name: string, use: string, values: object = {}, when: object = {}): ConfiguredRecipe => ({
  name,
  use,
  when: { ...when },
  with: { ...values },
});

function warn(
  recipes: readonly ConfiguredRecipe[],
  endpoints: readonly string[] = [],
  endpointRecipes: Readonly<Record<string, readonly string[]>> = {},
): readonly (readonly string[])[] {
  return explainRecipes({ recipes, destinations, endpoints, endpointRecipes }).map(
    ({ warnings }) => warnings,
  );
}

const twice = (name: string) =>
  `It and ${name} send the same content to the same target: a meeting that both take is posted twice.`;

describe('warnOfRecipes', () => {
  it('finds recipes that send the same to the same place', () => {
    const one = recipe('one', 'slack-recap');
    expect(warn([one, recipe('two', 'slack-recap', { channel: 'C0MEETINGS' })])).toEqual([
      [twice('two')],
      [twice('one')],
    ]);
    expect(warn([one, recipe('two', 'slack-recap', { channel: 'C0OTHER' })])).toEqual([[], []]);
    expect(warn([one, recipe('two', 'slack-alert')])).toEqual([[], []]);
  });

  it('keeps quiet where no meeting can be wanted by both', () => {
    const zoom = recipe('zoom', 'slack-recap', {}, { source: 'zoom' });
    const teams = recipe('teams', 'slack-recap', {}, { source: ['teams', 'meet'] });
    expect(warn([zoom, teams])).toEqual([[], []]);
    const rules = { a: ['zoom'], b: ['other'] };
    expect(warn([zoom, recipe('other', 'slack-recap')], ['a', 'b'], rules)).toEqual([[], []]);
  });

  it.each([
    [{ title: '*Sales*' }, { title: '*Team*' }],
    [{ tag: ['sales', 'Customer'] }, { tag: 'hiring' }],
    [{ template: 'daily' }, { template: 'sales-meeting' }],
    [{ participantDomain: 'a.example' }, { participantDomain: ['b.example', 'c.example'] }],
    [{ duration: { atMost: '30m' } }, { duration: { atLeast: '30m' } }],
    [{ participants: { atMost: 2 } }, { participants: { atLeast: 3 } }],
    [{ external: true }, { external: false }],
    [{ tag: 'hr' }, { not: { tag: 'hr' } }],
    [{ tag: 'hr' }, { otherwise: true }],
  ])('keeps quiet where conditions tell recipes apart: %j, %j', (one, other) => {
    const recipes = [recipe('one', 'slack-recap', {}, one), recipe('two', 'slack-recap', {}, other)];
    expect(warn(recipes)).toEqual([[], []]);
    expect(warn(recipes.toReversed())).toEqual([[], []]);
  });

  it('keeps quiet where one wants the meetings without a transcript', () => {
    const all = [true, false].map((isTranscriptEmpty) =>
      recipe(`alert-${isTranscriptEmpty}`, 'slack-alert', {}, { isTranscriptEmpty }),
    );
    expect(warn(all)).toEqual([[], []]);
  });

  it.each([
    [{ title: '*Sales*' }, { title: ['*sales*', '*Team*'] }],
    [{ tag: 'sales' }, { tag: ' SALES ' }],
    [{ tag: 'sales' }, { title: '*Sales*' }],
    [{ tag: 'sales' }, {}],
    [{ duration: { atMost: '45m' } }, { duration: { atLeast: '30m' } }],
    [{ isTranscriptEmpty: false }, {}],
  ])('finds those that they do not tell apart: %j, %j', (one, other) => {
    const recipes = [recipe('one', 'slack-recap', {}, one), recipe('two', 'slack-recap', {}, other)];
    expect(warn(recipes)).toEqual([[twice('two')], [twice('one')]]);
  });

  it.each([
    [{ name: '{id}' }, { name: '{id}', template: 'board' }, true],
    [{ name: '{id}', format: ['md', 'pdf'] }, { name: '{id}', folder: '/srv/a/', includeTasks: false }, true],
    [{ name: '{id}' }, { name: '{id}', timezone: 'Asia/Tokyo' }, true],
    [{ name: '{id}' }, { name: '{id}', tags: ['filed'] }, false],
    [{ name: '{id}' }, { name: '{id}', template: 'board', format: 'md' }, false],
    [{ name: '{id}' }, { name: '{id}', template: 'board', folder: '/srv/b' }, false],
    [{ name: '{id}_{template}' }, { name: '{id}_{template}', template: 'board' }, false],
    [{}, { timezone: 'Asia/Tokyo' }, false],
    [{}, { template: 'board' }, false],
    [{ template: 'board' }, { template: 'board', includeTasks: false }, false],
  ])('tells archives whose files replace each other: %j, %j: %s', (one, other, isTold) => {
    const archive = (name: string, values: object, when = {}) =>
      recipe(name, 'archive-export', { folder: '/srv/a', ...values }, when);
    const told = (name: string) =>
      `It and ${name} write different files under the same names into one folder and replace each other's: give one of them another folder or name.`;
    const both = [archive('one', one), archive('two', other)];
    expect(warn(both)).toEqual(isTold ? [[told('two')], [told('one')]] : [[], []]);
    const apart = [archive('one', one, { tag: 'a' }), archive('two', other, { tag: 'b' })];
    expect(warn(apart)).toEqual([[], []]);
  });

  it('finds a recipe that no endpoint runs', () => {
    const [own, idle] = warn([recipe('own', 'slack-recap'), recipe('idle', 'slack-alert')], ['sales'], {
      sales: ['own'],
    });
    expect(own).toEqual([]);
    expect(idle).toEqual([
      'No endpoint runs it: name it in the recipes of one, or correct its when.endpoint.',
    ]);
    expect(warn([recipe('lost', 'slack-recap', {}, { endpoint: 'hr' })], ['sales'])).toEqual([idle]);
  });

  it('points out conditions that no meeting meets', () => {
    const recap = (when: object) => warn([recipe('recap', 'slack-recap', {}, when)]).flat();
    expect(recap({ event: ['meeting.completed', 'meeting.complete'] })).toEqual([
      'No known source sends the event meeting.complete: its when.event may mean meeting.completed? (one of meeting.completed, meeting.failed, effect.failed, effect.held, service.key_refused, destination.paused).',
    ]);
    expect(recap({ isTranscriptEmpty: false })).toEqual([]);
    const alert = { event: ['effect.failed', 'meeting.completed'], isTranscriptEmpty: true };
    expect(warn([recipe('alert', 'slack-alert', {}, alert)])).toEqual([[]]);
  });

  it('warns about mail to external people without approval', () => {
    const mail = (values: object) => warn([recipe('mail', 'email-follow-up', values)]).flat();
    expect(mail({ to: 'all', external: 'send' })).toEqual([
      'Its mail goes to people outside without approval (external: send).',
    ]);
    expect(mail({ to: 'all' })).toEqual([]);
    expect(mail({ to: 'ann@client.example', external: 'send' })).toEqual([]);
  });
});
