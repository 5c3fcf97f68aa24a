import { type EventJob, type NewEffect, silentLog } from '@aftermeet/queue';
import { describe, expect, it } from 'vitest';

import { settlePolicies } from '../destinations/index.ts';
import { bindRecipes, standardRecipes } from '../prebuilt/bind-recipes.ts';
import { recordJournal } from '../testing/record-journal.ts';
import { takesAll } from '../testing/takes-all.ts';
import type { MeetingNote, SeenMeeting } from './meetings/meeting-index.ts';
import { fanOut, type FanOutTools, planEffects } from './plan.ts';
import type { BoundRecipe } from './recipe.ts';

const nowMs = Date.parse('2026-11-21T09:30:01Z');

const destinations = {
  slack: { token: 'xoxb-test', channel: 'C0123456789' },
  email: { smtpUrl: 'smtp://127.0.0.1:25', from: 'bot@example.com', to: ['ann@example.com'] },
};

function open(known?: SeenMeeting, orders: ReadonlyMap<string, string> = new Map()) {
  const added: NewEffect[] = [];
  const notes: MeetingNote[] = [];
  const reserved: string[] = [];
  const journal = recordJournal();
  const tools: FanOutTools = {
    queue: {
      findQueued: async () => new Set<string>(),
      addEffects: async (effects) => void added.push(...effects),
    },
    rateLimits: {
      reserve: async (rateLimits) => {
        reserved.push(...rateLimits.map(({ name, gapMs }) => `${name} ${gapMs}`));
        return rateLimits.map((_lane, index) => ({ slotMs: 7000 + index, atMs: nowMs + 4000, place: 1 }));
      },
    },
    meetings: {
      note: async (note) => {
        notes.push(note);
        return known;
      },
      find: async () => (known === undefined ? [] : [known]),
      findOrders: async () => orders,
    },
    policies: settlePolicies(),
    journal,
    rules: {
      workspace: 'active',
      recipes: bindRecipes(standardRecipes(destinations), destinations),
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
  return { added, notes, reserved, take, journal };
}

describe('fanOut', () => {
  it('gives effects that share a limit a turn, and lets them sleep until then', async () => {
    const { added, reserved, take } = open();
    expect(await take('meeting.completed')).toEqual({ kind: 'done' });
    expect(reserved).toEqual(['slack C0123456789 1000']);
    expect(added.map(({ job, delayMs }) => [job.recipe, job.slotMs, delayMs])).toEqual([
      ['slack-recap', 7000, 4000],
      ['email-follow-up', undefined, undefined],
    ]);
  });

  it('writes into the journal which recipes take the meeting, and which do not and why', async () => {
    const { take, journal } = open();
    await take('meeting.completed');
    expect(journal.notes).toEqual([
      {
        meetingId: 'm_1',
        note: expect.objectContaining({
          kind: 'delivered',
          atMs: nowMs,
          delivery: 'd1',
          event: 'meeting.completed',
          endpoint: 'default',
          recipes: [
            { name: 'slack-recap', takes: true },
            { name: 'email-follow-up', takes: true },
            { name: 'slack-alert', takes: false, cause: 'its transcript is not empty' },
          ],
          effects: [
            expect.objectContaining({ recipe: 'slack-recap', destination: 'slack', part: 0 }),
            expect.objectContaining({ recipe: 'email-follow-up', destination: 'email', part: 0 }),
          ],
        }),
      },
    ]);
  });

  it('writes into the journal why nothing is done', async () => {
    const { take, journal } = open(
      { meetingId: 'm_1', seenAtMs: 1, endpoint: 'hr' },
      new Map([['m_1', 'hr']]),
    );
    await take('meeting.completed', { isUnsigned: true });
    expect(journal.notes.map(({ note }) => note)).toEqual([
      expect.objectContaining({
        isUnsigned: true,
        nothing: 'an unsigned delivery about a meeting of another endpoint: nothing is sent',
        effects: [],
      }),
    ]);
  });

  it('notes the meeting before anything is queued', async () => {
    const { notes, take } = open();
    await take('meeting.completed');
    expect(notes).toEqual([
      {
        meetingId: 'm_1',
        kind: 'meeting.completed',
        endpoint: 'default',
        occurrence: '2026-11-21T09:29:58Z',
        nowMs,
      },
    ]);
  });

  it('notes of a hint that it came, and no completion that a failure could be too old for', async () => {
    const { notes, take } = open();
    await take('meeting.completed', { isUnsigned: true });
    expect(notes).toEqual([
      {
        meetingId: 'm_1',
        kind: 'unsigned',
        endpoint: 'default',
        occurrence: '2026-11-21T09:30:00.000Z',
        isUnsigned: true,
        nowMs,
      },
    ]);
  });

  it.each([
    ['came to another endpoint', { meetingId: 'm_1', seenAtMs: nowMs, endpoint: 'hr' }, new Map()],
    ['was recorded for another endpoint', undefined, new Map([['m_1', 'hr']])],
  ])('sends nothing for an unsigned delivery about a meeting that %s', async (_why, known, orders) => {
    const { added, notes, take } = open(known, orders);
    expect(await take('meeting.completed', { isUnsigned: true })).toEqual({ kind: 'done' });
    expect([added, notes]).toEqual([[], []]);
    await take('meeting.completed');
    expect(added).not.toEqual([]);
  });

  it.each([
    ['later', '2026-11-21T09:29:59Z', 0],
    ['at the same time', '2026-11-21T09:29:58Z', 1],
    ['earlier', '2026-11-21T09:29:57.999Z', 1],
  ])('tells of a failure of a meeting that completed %s: %s → %i', async (_when, completedAt, expected) => {
    const { added, take } = open({ meetingId: 'm_1', seenAtMs: nowMs, completedAt, endpoint: 'default' });
    expect(await take('meeting.failed')).toEqual({ kind: 'done' });
    expect(added).toHaveLength(expected);
  });

  it('queues nothing for an event that is older than what is remembered', async () => {
    const { added, notes, take } = open();
    expect(await take('meeting.completed', {}, '2026-01-01T00:00:00Z')).toEqual({ kind: 'done' });
    expect(added).toEqual([]);
    expect(notes).toEqual([]);
  });

  it.each([{}, { isUnsigned: true as const }])(
    'queues and notes nothing for a test delivery: %j',
    async (more) => {
      const { added, notes, take } = open();
      const body = JSON.stringify({
        event: 'meeting.completed',
        meeting_id: 'm_test',
        timestamp: '2026-11-21T09:29:58Z',
        data: { title: 'Test meeting', is_transcript_empty: false, aftermeet_test: true },
      });
      expect(await take('meeting.completed', { body, ...more })).toEqual({ kind: 'done' });
      expect([added, notes]).toEqual([[], []]);
    },
  );

  it('fails visibly on a delivery that is no event', async () => {
    const { take } = open();
    expect(await take('meeting.completed', { body: '[]' })).toMatchObject({ kind: 'failed' });
  });
});

const when = {};

const plan = () => [{ target: 'C1', part: 0 }];

function bind(name: string, from: 'report' | 'event'): BoundRecipe {
  const render = () => {
    throw new Error('nothing is rendered here');
  };
  return {
    ...takesAll,
    name,
    when,
    plan,
    input: { from, render },
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
