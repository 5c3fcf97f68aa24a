import { describe, expect, it } from 'vitest';

import { planEffects } from './plan-effects.ts';
import type { BoundRecipe } from './recipe.ts';

const when = {};
const plan = () => [{ target: 'C1', part: 0 }];

function bind(name: string, from: 'report' | 'event'): BoundRecipe {
  const render = () => {
    throw new Error('nothing is rendered here');
  };
  return {
    name,
    when,
    plan,
    subject: { from, render },
    // Of the prebuilt recipe only these are read when effects are planned.
    prebuilt: {
      events: ['meeting.completed', 'meeting.failed'],
      destination: 'slack',
    } as unknown as BoundRecipe['prebuilt'],
  };
}

const rules = {
  workspace: 'w',
  recipes: [bind('recap', 'report'), bind('alert', 'event')],
  endpointRecipes: {},
};
const job = {
  endpoint: 'uploads',
  receivedAt: '2026-11-21T09:30:00.000Z',
  body: JSON.stringify({
    event: 'meeting.completed',
    meeting_id: 'm_1',
    timestamp: '2026-11-21T09:29:58Z',
    data: { title: 'T', reason: 'R', is_transcript_empty: false, report_url: 'https://evil.example/' },
  }),
};

describe('planEffects', () => {
  it('takes what a signed delivery says', () => {
    const planned = planEffects(job, rules, 'job-1');
    expect(planned).toMatchObject({
      event: { title: 'T', reason: 'R', isTranscriptEmpty: false, reportUrl: 'https://evil.example/' },
      effects: [{ recipe: 'recap' }, { recipe: 'alert' }],
    });
  });

  it('takes kind and meeting of an unsigned one, and only recipes that ask the service', () => {
    const planned = planEffects({ ...job, isUnsigned: true }, rules, 'job-1');
    const event = {
      kind: 'meeting.completed',
      meetingId: 'm_1',
      occurrence: 'unsigned',
      endpoint: 'uploads',
      receivedAt: '2026-11-21T09:30:00.000Z',
    };
    expect(planned).toMatchObject({ ok: true, event, effects: [{ recipe: 'recap', event }] });
    if (!planned.ok) throw new Error('not planned');
    expect(planned.event).toEqual(event);
    expect(planned.effects).toHaveLength(1);
    expect(planned.effects[0]?.event).toEqual(event);
  });

  it('plans nothing for an event that happened longer ago than the ledger remembers', () => {
    const at = (timestamp: string) => ({
      ...job,
      body: JSON.stringify({ event: 'meeting.completed', meeting_id: 'm_1', timestamp, data: {} }),
    });
    expect(planEffects(at('2026-09-22T09:29:59Z'), rules, 'job-1')).toMatchObject({
      effects: [],
      isTooOld: true,
    });
    expect(planEffects(at('2026-09-22T09:30:01Z'), rules, 'job-1')).toMatchObject({ isTooOld: false });
    const always = { ...rules, maxAgeMs: Infinity };
    expect(planEffects(at('2020-01-01T00:00:00Z'), always, 'job-1')).toMatchObject({
      isTooOld: false,
      effects: [{ recipe: 'recap' }, { recipe: 'alert' }],
    });
  });

  it('gives everything that one delivery causes the same trace id, and another delivery another one', () => {
    const traces = (id: string) => {
      const planned = planEffects(job, rules, id);
      return planned.ok ? planned.effects.map(({ traceId }) => traceId) : [];
    };
    expect(traces('job-1')).toEqual(['f80ccc023be22966c0eab6616307c465', 'f80ccc023be22966c0eab6616307c465']);
    expect(traces('job-2')).toEqual(['01825d310099198bc5eaa763f2f14d37', '01825d310099198bc5eaa763f2f14d37']);
  });
});
