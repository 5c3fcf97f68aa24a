import { describe, expect, it } from 'vitest';

import type { LedgerEntry } from '../engine/ledger/ledger.ts';
import { createMemoryTools, makeEntry } from '../testing/memory-tools.ts';
import { describeResults, describeSteps } from './meeting-words.ts';
import { findMeeting, findMeetingById, listMeetings, type MeetingEffect, readMeeting } from './meetings.ts';

const nowMs = Date.parse('2026-07-07T14:03:00Z');
const time = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

const queued = (effectKey: string, recipe: string, destination = 'slack', part = 0) => ({
  effectKey,
  recipe,
  destination,
  part,
});

const entry = (effectKey: string, state: LedgerEntry['state'], cause?: string): LedgerEntry =>
  makeEntry({ effectKey, state, changedAtMs: nowMs, ...(cause === undefined ? {} : { cause }) });

function open() {
  const tools = createMemoryTools(nowMs);
  tools.journal.note({
    meetingId: 'm_1',
    note: {
      kind: 'delivered',
      atMs: nowMs,
      delivery: 'd1',
      event: 'meeting.completed',
      endpoint: 'sales',
      title: 'Acme: renewal',
      recipes: [
        { name: 'recap', takes: true },
        { name: 'follow-up', takes: true },
        { name: 'hr', takes: false, cause: 'its title is not "HR"' },
      ],
      effects: [queued('k1', 'recap'), queued('k2', 'follow-up', 'email')],
    },
  });
  tools.journal.note({
    meetingId: 'm_1',
    note: {
      kind: 'followed',
      atMs: nowMs + 1,
      effects: [queued('k3', 'follow-up', 'email'), queued('k4', 'follow-up', 'email')],
    },
  });
  tools.entries.set('k1', entry('k1', 'sent'));
  tools.entries.set('k2', entry('k2', 'skipped', '2 effects planned from the report'));
  tools.entries.set('k3', entry('k3', 'sent'));
  tools.entries.set('k4', entry('k4', 'held', 'it goes to people outside'));
  return tools;
}

describe('the way of a meeting', () => {
  it('says of each recipe what became of it', async () => {
    const { meetings, next } = await listMeetings({ limit: 10 }, open());
    expect(next).toBeUndefined();
    expect(meetings).toHaveLength(1);
    expect(meetings[0]).toMatchObject({ meetingId: 'm_1', title: 'Acme: renewal', endpoint: 'sales' });
    expect(meetings.flatMap((meeting) => describeResults(meeting, time))).toEqual([
      { recipe: 'recap', words: 'sent 14:03', tone: 'good' },
      {
        recipe: 'follow-up',
        words: '1 waits for approval, 1 sent: it goes to people outside',
        tone: 'wait',
      },
      { recipe: 'hr', words: 'not taken: its title is not "HR"', tone: 'none' },
    ]);
  });

  it('has every effect once, with its attempts', async () => {
    const tools = open();
    tools.journal.note({
      effectKey: 'k1',
      note: { atMs: nowMs, elapsedMs: 40, worker: 'host:1', outcome: 'sent' },
    });
    const way = await readMeeting('m_1', tools);
    expect(
      way?.effects.map(({ effectKey, verdict, attempts }) => [effectKey, verdict, attempts.length]),
    ).toEqual([
      ['k1', 'sent', 1],
      ['k2', 'expanded', 0],
      ['k3', 'sent', 0],
      ['k4', 'held', 0],
    ]);
    expect(way && describeSteps(way).map(({ words }) => words)).toEqual([
      'delivery meeting.completed at the endpoint sales: taken by recap, follow-up',
      'recap to slack: sent (0.0 s, host:1)',
      '2 more effects planned',
    ]);
    expect(await readMeeting('m_none', tools)).toBeUndefined();
  });

  it('is found by id, by the start of an id and by words of a title', async () => {
    const tools = open();
    tools.journal.note({
      meetingId: 'm_2',
      note: { kind: 'followed', atMs: nowMs, effects: [] },
    });
    const found = await Promise.all(
      ['m_1', 'ACME', 'm_', 'nothing'].map((words) => findMeeting(words, tools.journal)),
    );
    expect(found).toEqual([
      { kind: 'found', value: 'm_1' },
      { kind: 'found', value: 'm_1' },
      { kind: 'several', ids: ['m_1', 'm_2'] },
      { kind: 'none' },
    ]);
    expect((await listMeetings({ limit: 5, words: 'renewal' }, tools)).meetings).toHaveLength(1);
    // What a command deletes is named by its id.
    const byId = ['m_1', 'ACME', 'm_'].map((start) => findMeetingById(start, tools.journal));
    expect(await Promise.all(byId)).toEqual([
      { kind: 'found', value: 'm_1' },
      { kind: 'none' },
      { kind: 'several', ids: ['m_1', 'm_2'] },
    ]);
  });

  it('says why nothing is done for it', () => {
    const nothing = 'a test delivery: nothing is sent';
    expect(describeResults({ effects: [], notTaken: [], nothing }, time)).toEqual([
      { recipe: '', words: nothing, tone: 'none' },
    ]);
  });

  it.each<[MeetingEffect['verdict'], string, string]>([
    ['failed', 'failed: no channel', 'bad'],
    ['waiting', 'waits: no channel', 'wait'],
    ['skipped', 'nothing to send: no channel', 'none'],
    ['ended', 'ended, and forgotten: no channel', 'none'],
  ])('%s is told as "%s"', (verdict, words, tone) => {
    const effect = { ...queued('k', 'recap'), verdict, cause: 'no channel', changedAtMs: nowMs };
    expect(describeResults({ effects: [effect], notTaken: [] }, time)).toEqual([
      { recipe: 'recap', words, tone },
    ]);
  });
});
