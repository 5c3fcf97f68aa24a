import { describe, expect, it } from 'vitest';

import { bindRecipes } from '../bind-recipes.ts';
import { buildDigest } from '../digest.ts';
import type { BoundRecipe, MeetingEvent } from '../recipe.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { explainMatch } from './explain-match.ts';
import { explainWhen } from './explain-when.ts';

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
