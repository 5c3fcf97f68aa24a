import { anyCodePoint } from '@aftermeet/test/any-code-point';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { writeAlert } from './alert-text.ts';
import type { MeetingEvent } from './recipe.ts';

const event: MeetingEvent = {
  kind: 'meeting.failed',
  meetingId: 'm_1',
  occurrence: '2026-11-21T10:00:00Z',
  endpoint: 'default',
  receivedAt: '2026-11-21T10:00:01Z',
  title: 'Weekly sync',
};

describe('writeAlert', () => {
  it('tells of a meeting that failed, with the reason of the service', () => {
    expect(writeAlert({ ...event, reason: 'The recording\r\nis broken' })).toEqual({
      headline: 'Meeting failed: Weekly sync',
      explanation: 'The service could not process this meeting, so there is no report.',
      reason: 'The recording\nis broken',
      advice:
        'See in the service what became of the recording. A recording of your own can be uploaded as a new meeting.',
      ids: 'meeting m_1 · 2026-11-21 10:00 UTC',
      meetingId: 'm_1',
    });
  });

  it('tells of a meeting in which nothing was transcribed', () => {
    expect(writeAlert({ ...event, kind: 'meeting.completed', title: ' ' }).headline).toBe(
      'Nothing was transcribed: Untitled meeting',
    );
  });

  it('tells of an effect that failed: which recipe, why, and what to do', () => {
    const cause = 'Slack answered not_in_channel: invite the app to the channel';
    expect(writeAlert({ ...event, kind: 'effect.failed', recipe: 'sales-recap', reason: cause })).toEqual({
      headline: 'Not delivered: Weekly sync',
      explanation: 'The recipe sales-recap could not deliver this, and does not try again by itself.',
      reason: cause,
      advice:
        'Mend the cause, then run "aftermeet effects retry". "aftermeet effects list" shows everything that failed.',
      ids: 'meeting m_1 · recipe sales-recap · 2026-11-21 10:00 UTC',
      meetingId: 'm_1',
    });
  });

  it('names the recipe of what failed where there is no single meeting', () => {
    const { title: _title, ...untitled } = event;
    expect(writeAlert({ ...untitled, kind: 'effect.failed', meetingId: '', recipe: 'weekly' })).toMatchObject(
      {
        headline: 'Not delivered: weekly',
        ids: 'recipe weekly · 2026-11-21 10:00 UTC',
      },
    );
  });

  it('says when an effect failed, and not in which hour', () => {
    const hour = { occurrence: '2026-11-21T10:00:00.000Z', receivedAt: '2026-11-21T10:42:07.000Z' };
    expect(writeAlert({ ...event, ...hour, kind: 'effect.failed', recipe: 'weekly' }).ids).toBe(
      'meeting m_1 · recipe weekly · 2026-11-21 10:42 UTC',
    );
    expect(writeAlert({ ...event, ...hour }).ids).toBe('meeting m_1 · 2026-11-21 10:00 UTC');
    expect(writeAlert({ ...event, ...hour, occurrence: 'an odd time' }).ids).toBe(
      'meeting m_1 · 2026-11-21 10:42 UTC',
    );
  });

  it('tells of a key that the service refuses, without a meeting', () => {
    const { title: _title, ...untitled } = event;
    expect(writeAlert({ ...untitled, kind: 'service.key_refused', meetingId: '' })).toEqual({
      headline: 'The service refuses the API key',
      explanation:
        'No report can be fetched, so recaps wait. Nothing is lost: they are sent as soon as the key works.',
      advice: 'Set a key that is valid (SERVICE_API_KEY) and start the worker again.',
      ids: '2026-11-21 10:00 UTC',
    });
  });

  it('is bounded and on one line where it must be, whatever the event holds', () => {
    const text = fc
      .tuple(fc.string({ unit: anyCodePoint, maxLength: 40 }), fc.integer({ min: 1, max: 200 }))
      .map(([part, times]) => part.repeat(times));
    const kinds = [
      'meeting.failed',
      'meeting.completed',
      'effect.failed',
      'service.key_refused',
      'meeting.new',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...kinds), text, text, text, (kind, title, reason, id) => {
        const alert = writeAlert({ ...event, kind, title, reason, meetingId: id, recipe: id });
        expect(alert.headline.length).toBeLessThanOrEqual(230);
        expect(/[\r\n]/.test(alert.headline + alert.explanation + alert.ids)).toBe(false);
        expect(JSON.stringify(alert).length).toBeLessThan(20_000);
        expect(() => encodeURIComponent(Object.values(alert).join(''))).not.toThrow();
      }),
      { numRuns: 40 },
    );
  });
});
