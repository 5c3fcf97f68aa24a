import type { EffectJob } from '../job-catalog.ts';

/** An effect for Slack. */
export function makeEffect(effectKey: string): EffectJob {
  return {
    effectKey,
    destination: 'slack',
    recipe: 'slack-recap',
    target: 'C0123',
    part: 0,
    event: {
      kind: 'meeting.completed',
      meetingId: 'm_1',
      occurrence: '2026-11-21T09:00:00Z',
      endpoint: 'default',
      receivedAt: '2026-11-21T09:30:00.000Z',
    },
  };
}
