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
    // Of the prebuilt recipe only these two are read when effects are planned.
    prebuilt: { events: ['meeting.completed', 'meeting.failed'] } as unknown as BoundRecipe['prebuilt'],
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
    timestamp: '2026-07-07T12:00:00Z',
    data: { title: 'T', reason: 'R', is_transcript_empty: false, report_url: 'https://evil.example/' },
  }),
};

describe('planEffects', () => {
  it('takes what a signed delivery says', () => {
    const planned = planEffects(job, rules);
    expect(planned).toMatchObject({
      event: { title: 'T', reason: 'R', isTranscriptEmpty: false, reportUrl: 'https://evil.example/' },
      effects: [{ recipe: 'recap' }, { recipe: 'alert' }],
    });
  });

  it('takes kind and meeting of an unsigned one, and only recipes that ask the service', () => {
    const planned = planEffects({ ...job, isUnsigned: true }, rules);
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
});
