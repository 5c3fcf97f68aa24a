import { describe, expect, it } from 'vitest';

import { buildDigest } from '../../report/digest.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import type { RecipeWhen } from '../recipe.ts';
import { explainMismatch } from './report-conditions.ts';

const digest = buildDigest(sampleReport);

describe('explainMismatch', () => {
  it.each<RecipeWhen>([
    {},
    { event: 'meeting.failed', endpoint: 'other' },
    { title: '*SYNC' },
    { isTranscriptEmpty: false },
    { tag: ['other', 'Sales'] },
    { source: 'Zoom' },
    { template: 'sales-meeting' },
    { template: ['x', 'Sales  meeting'] },
    { template: 't_1' },
    { participantDomain: 'EXAMPLE.com' },
    { participantDomain: ['@example.com'] },
    { duration: { atLeastSeconds: 3900, atMostSeconds: 3900 } },
  ])('takes the meeting with %j', (when) => {
    expect(explainMismatch(when, digest, {})).toBeUndefined();
  });

  it.each<[RecipeWhen, string]>([
    [{ title: ['HR*', 'Daily*'] }, 'the title of the meeting fits none of the patterns "HR*", "Daily*"'],
    [{ isTranscriptEmpty: true }, 'the transcript of this meeting is not empty'],
    [{ tag: 'sale' }, 'the meeting does not have the tag sale'],
    [{ tag: ['hr', 'customer'] }, 'the meeting has none of the tags hr, customer'],
    [{ source: ['meet', 'teams'] }, 'the meeting was not held on meet or teams'],
    [{ template: ['daily', 'team-sync'] }, 'the report was made with none of the templates daily, team-sync'],
    [{ participantDomain: 'ample.com' }, 'nobody with an address at ample.com took part'],
    [
      { duration: { atLeastSeconds: 7200 } },
      'the meeting was shorter than 2 h 00 min, or the report does not say how long it was',
    ],
    [
      { duration: { atMostSeconds: 90 } },
      'the meeting was longer than 90 s, or the report does not say how long it was',
    ],
    [{ tag: 'sales', source: 'meet' }, 'the meeting was not held on meet'],
  ])('says why it does not with %j', (when, why) => {
    expect(explainMismatch(when, digest, {})).toBe(why);
  });

  it('takes no meeting of unknown length, platform or people for what is asked', () => {
    const { durationSeconds: _duration, source: _source, ...rest } = sampleReport;
    const unknown = buildDigest({ ...rest, participants: [{ name: 'Bob' }] });
    for (const when of [
      { duration: { atMostSeconds: 9 } },
      { source: 'zoom' },
      { participantDomain: 'example.com' },
    ]) {
      expect(explainMismatch(when, unknown, {})).toBeDefined();
    }
  });

  it('leaves the title to the event where that has one', () => {
    const renamed = { ...digest, title: 'What we talked about' };
    expect(explainMismatch({ title: '*Sales*' }, renamed, { title: 'Sales sync' })).toBeUndefined();
    expect(explainMismatch({ title: '*Sales*' }, renamed, {})).toContain('fits none of the patterns');
  });
});
