import { type EffectJob, type NewEffect, silentLog } from '@aftermeet/queue';
import { describe, expect, it } from 'vitest';

import { settlePolicies } from '../destinations/index.ts';
import { bindRecipes, standardRecipes } from '../prebuilt/bind-recipes.ts';
import { alertOfEffect, alertOfRefusedKey, type AlertTools } from './alerts.ts';

const destinations = { slack: { token: 'xoxb-test', channel: 'C0123456789' } };
const failed: EffectJob = {
  effectKey: 'k',
  destination: 'slack',
  recipe: 'slack-recap',
  target: 'C1',
  part: 0,
  event: {
    kind: 'meeting.completed',
    meetingId: 'm_1',
    title: 'Weekly sync',
    occurrence: '2026-11-21T09:29:58Z',
    endpoint: 'sales',
    receivedAt: '2026-11-21T09:30:00.000Z',
  },
};

function open(start: string) {
  const world = { nowMs: Date.parse(start) };
  const added: NewEffect[] = [];
  const recipes = bindRecipes(standardRecipes(destinations), destinations);
  const tools: AlertTools = {
    workspace: 'active',
    recipes,
    raised: new Set(),
    queue: {
      findQueued: async () => new Set<string>(),
      addEffects: async (effects) => void added.push(...effects),
    },
    rateLimits: { reserve: async (rateLimits) => rateLimits.map(() => ({ slotMs: 0, atMs: 0, place: 1 })) },
    policies: settlePolicies(),
    clock: () => world.nowMs,
    log: silentLog,
  };
  return { added, tools, world };
}

describe('alertOfEffect', () => {
  it('tells the alert recipe what has failed', async () => {
    const { added, tools } = open('2026-11-21T09:40:00Z');
    await alertOfEffect('effect.failed', failed, 'Slack answered is_archived', tools);
    expect(added.map(({ job }) => [job.recipe, job.event])).toEqual([
      [
        'slack-alert',
        {
          kind: 'effect.failed',
          meetingId: 'm_1',
          title: 'Weekly sync',
          occurrence: '2026-11-21T09:00:00.000Z',
          endpoint: 'sales',
          receivedAt: '2026-11-21T09:40:00.000Z',
          recipe: 'slack-recap',
          reason: 'Slack answered is_archived',
        },
      ],
    ]);
  });

  it('tells once an hour that messages of a recipe wait for approval', async () => {
    const { added, tools } = open('2026-11-21T09:40:00Z');
    await alertOfEffect('effect.held', failed, 'mail to people outside waits for approval', tools);
    await alertOfEffect('effect.held', failed, 'mail to people outside waits for approval', tools);
    expect(added.map(({ job }) => [job.event.kind, job.event.meetingId, job.event.reason])).toEqual([
      ['effect.held', 'm_1', 'mail to people outside waits for approval'],
    ]);
  });

  it('has one key for all failures of a recipe in an hour, whichever meeting they are of', async () => {
    const { added, tools, world } = open('2026-11-21T09:00:00Z');
    await alertOfEffect('effect.failed', failed, 'one', tools);
    world.nowMs = Date.parse('2026-11-21T09:59:59.999Z');
    // Another worker, which has raised nothing yet.
    const other = { ...tools, raised: new Set<string>() };
    await alertOfEffect(
      'effect.failed',
      { ...failed, event: { ...failed.event, meetingId: 'm_2' } },
      'two',
      other,
    );
    await alertOfEffect(
      'effect.failed',
      { ...failed, event: { ...failed.event, meetingId: 'm_3' } },
      'two',
      other,
    );
    world.nowMs += 1;
    await alertOfEffect('effect.failed', failed, 'three', tools);
    const [first, second, third] = added.map(({ job }) => job.effectKey);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('tells those that an endpoint names for itself, and all without the title where it names none', async () => {
    const { added, tools } = open('2026-11-21T09:40:00Z');
    const [alert] = tools.recipes.filter(({ name }) => name === 'slack-alert');
    if (alert === undefined) throw new Error('there is none');
    const recipes = [alert, { ...alert, name: 'sales-alert' }];
    const heard = async (own: readonly string[]) => {
      added.length = 0;
      const fresh = { ...tools, raised: new Set<string>() };
      const runsAt = (name: string) => () => own.includes(name);
      const routed = recipes.map((recipe) => ({ ...recipe, runsAt: runsAt(recipe.name) }));
      await alertOfEffect('effect.failed', failed, 'x', { ...fresh, recipes: routed });
      return added.map(({ job }) => [job.recipe, job.event.title]);
    };
    expect(await heard(['sales-recap', 'sales-alert'])).toEqual([['sales-alert', 'Weekly sync']]);
    expect(await heard(['sales-recap'])).toEqual([
      ['slack-alert', undefined],
      ['sales-alert', undefined],
    ]);
  });

  it('tells of a recipe that is not configured any more', async () => {
    const { added, tools } = open('2026-11-21T09:40:00Z');
    await alertOfEffect('effect.failed', { ...failed, recipe: 'gone' }, 'x', tools);
    expect(added).toHaveLength(1);
  });

  it('raises none for an alert that failed itself', async () => {
    const { added, tools } = open('2026-11-21T09:40:00Z');
    await alertOfEffect('effect.failed', { ...failed, recipe: 'slack-alert' }, 'x', tools);
    expect(added).toEqual([]);
  });
});

describe('alertOfRefusedKey', () => {
  it('has one key for each episode', async () => {
    const { added, tools } = open('2026-11-21T09:40:00Z');
    await alertOfRefusedKey('2026-11-21T09:39:00.000Z', tools);
    await alertOfRefusedKey('2026-11-21T09:39:00.000Z', { ...tools, raised: new Set() });
    await alertOfRefusedKey('2026-11-22T01:00:00.000Z', tools);
    const keys = added.map(({ job }) => job.effectKey);
    expect(new Set(keys).size).toBe(2);
    expect(added[0]?.job).toMatchObject({ recipe: 'slack-alert', event: { kind: 'service.key_refused' } });
  });

  it('never stands in the way of what it is about', async () => {
    const { tools } = open('2026-11-21T09:40:00Z');
    const broken = {
      ...tools,
      queue: { ...tools.queue, addEffects: () => Promise.reject(new Error('away')) },
    };
    await expect(alertOfRefusedKey('e', broken)).resolves.toBeUndefined();
  });
});
