import { type EventJob, type NewEffect, silentLog } from '@aftermeet/queue';
import { describe, expect, it } from 'vitest';

import { bindRecipes } from './bind-recipes.ts';
import { fanOut, type FanOutTools } from './fan-out.ts';
import type { MeetingNote, SeenMeeting } from './meetings/meeting-index.ts';
import { settlePolicies } from './pace/policy.ts';
import { standardRecipes } from './standard-recipes.ts';

const nowMs = Date.parse('2026-11-21T09:30:01Z');
const destinations = {
  slack: { token: 'xoxb-test', channel: 'C0123456789' },
  mail: { smtpUrl: 'smtp://127.0.0.1:25', from: 'bot@example.com', to: ['ann@example.com'] },
};

function open(known?: SeenMeeting) {
  const added: NewEffect[] = [];
  const notes: MeetingNote[] = [];
  const reserved: string[] = [];
  const tools: FanOutTools = {
    queue: { addEffects: async (effects) => void added.push(...effects) },
    lanes: {
      reserve: async (lanes) => {
        reserved.push(...lanes.map(({ name, gapMs }) => `${name} ${gapMs}`));
        return lanes.map((_lane, index) => ({ turnMs: 7000 + index, atMs: nowMs + 4000 }));
      },
    },
    meetings: {
      note: async (note) => {
        notes.push(note);
        return known;
      },
    },
    policies: settlePolicies(),
    rules: {
      workspace: 'active',
      recipes: bindRecipes(standardRecipes(destinations), destinations),
      endpointRecipes: {},
    },
    clock: () => nowMs,
    log: silentLog,
  };
  const take = (event: string, more: Partial<EventJob> = {}, timestamp = '2026-11-21T09:29:58Z') =>
    fanOut(
      {
        id: 'd1',
        attempt: 1,
        startedTimes: 1,
        maxAttempts: 20,
        dueAtMs: nowMs,
        data: {
          endpoint: 'default',
          receivedAt: '2026-11-21T09:30:00.000Z',
          body: JSON.stringify({ event, meeting_id: 'm_1', timestamp, data: {} }),
          ...more,
        },
      },
      tools,
    );
  return { added, notes, reserved, take };
}

describe('fanOut', () => {
  it('gives effects that share a limit a turn, and lets them sleep until then', async () => {
    const { added, reserved, take } = open();
    expect(await take('meeting.completed')).toEqual({ kind: 'done' });
    expect(reserved).toEqual(['slack C0123456789 1000']);
    expect(added.map(({ job, delayMs }) => [job.recipe, job.turnMs, delayMs])).toEqual([
      ['slack-recap', 7000, 4000],
      ['email-follow-up', undefined, undefined],
    ]);
  });

  it('notes the meeting before anything is queued', async () => {
    const { notes, take } = open();
    await take('meeting.completed');
    expect(notes).toEqual([
      { meetingId: 'm_1', kind: 'meeting.completed', occurrence: '2026-11-21T09:29:58Z', nowMs },
    ]);
  });

  it('notes of a hint that it came, and no completion that a failure could be too old for', async () => {
    const { notes, take } = open();
    await take('meeting.completed', { isUnsigned: true });
    expect(notes).toEqual([
      { meetingId: 'm_1', kind: 'hint', occurrence: '2026-11-21T09:30:00.000Z', nowMs },
    ]);
  });

  it.each([
    ['later', '2026-11-21T09:29:59Z', 0],
    ['at the same time', '2026-11-21T09:29:58Z', 1],
    ['earlier', '2026-11-21T09:29:57.999Z', 1],
  ])('tells of a failure of a meeting that completed %s: %s → %i', async (_when, completedAt, expected) => {
    const { added, take } = open({ meetingId: 'm_1', seenAtMs: nowMs, completedAt });
    expect(await take('meeting.failed')).toEqual({ kind: 'done' });
    expect(added).toHaveLength(expected);
  });

  it('queues nothing for an event that is older than what is remembered', async () => {
    const { added, notes, take } = open();
    expect(await take('meeting.completed', {}, '2026-01-01T00:00:00Z')).toEqual({ kind: 'done' });
    expect(added).toEqual([]);
    expect(notes).toEqual([]);
  });

  it('fails visibly on a delivery that is no event', async () => {
    const { take } = open();
    expect(await take('meeting.completed', { body: '[]' })).toMatchObject({ kind: 'failed' });
  });
});
