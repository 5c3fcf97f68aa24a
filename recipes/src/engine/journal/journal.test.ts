import { type Backend, openBackend, silentLog } from '@aftermeet/queue';
import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openJournal } from '../store/open-stores.ts';
import type { Attempt, Journal, MeetingEntry } from './journal.ts';

const startMs = 1_795_000_000_000;
const dayMs = 86_400_000;

const attempt = (atMs: number, change: Partial<Attempt> = {}): Attempt => ({
  atMs,
  elapsedMs: 12,
  worker: 'host:1',
  outcome: 'sent',
  ...change,
});
const followed = (atMs: number): MeetingEntry => ({ kind: 'followed', atMs, effects: [] });

describeEachStore('the journal', (kind) => {
  let store: TestStore;
  let backend: Backend;
  let journal: Journal;
  const reopen = async (): Promise<void> => {
    // Closing writes what was noted.
    await journal.close();
    journal = await openJournal(backend);
  };
  beforeAll(async () => {
    store = await openTestStore(kind);
    backend = await openBackend(store.queueUrl, { log: silentLog });
    journal = await openJournal(backend);
  });
  afterAll(async () => {
    await journal.close();
    await backend.close();
    await store.dispose();
  });

  it('keeps the notes of a meeting and of its effects in order', async () => {
    const delivered: MeetingEntry = {
      kind: 'delivered',
      atMs: startMs,
      delivery: 'd1',
      event: 'meeting.completed',
      endpoint: 'sales',
      title: 'Zwölf 😀 \u0000 "quoted"',
      recipes: [
        { name: 'recap', takes: true },
        { name: 'hr', takes: false, cause: 'its title is not X' },
      ],
      effects: [{ effectKey: 'k1', recipe: 'recap', destination: 'slack', part: 0 }],
    };
    journal.note({ meetingId: 'm_1', note: delivered });
    journal.note({ meetingId: 'm_1', note: followed(startMs + 1) });
    journal.note({ effectKey: 'k1', note: attempt(startMs + 2, { outcome: 'waits', why: 'limited' }) });
    journal.note({ effectKey: 'k1', note: attempt(startMs + 3) });
    await reopen();
    const [meeting = [], unknown] = await journal.readMeetings(['m_1', 'm_none']);
    expect(meeting.map((entry) => entry.kind)).toEqual(['delivered', 'followed']);
    expect(meeting[0]).toMatchObject({
      delivery: 'd1',
      recipes: delivered.recipes,
      effects: delivered.effects,
    });
    expect(unknown).toEqual([]);
    expect(await journal.readEffects(['k1', 'k_none'])).toEqual([
      [attempt(startMs + 2, { outcome: 'waits', why: 'limited' }), attempt(startMs + 3)],
      [],
    ]);
  });

  it('finds names that no store can hold as they are, or nothing', async () => {
    for (const meetingId of ['m\0', 'm\uD800', '', 'm'.repeat(10_000)])
      expect(await journal.readMeetings([meetingId])).toEqual([[]]);
    const after = { meetingId: 'm\0\uDFFF', atMs: startMs };
    expect(await journal.listMeetings({ limit: 1, after })).toEqual([]);
  });

  it('keeps the newest of many', async () => {
    for (let at = 0; at < 130; at += 1) {
      journal.note({ meetingId: 'm_many', note: followed(startMs + at) });
      journal.note({ effectKey: 'k_many', note: attempt(startMs + at) });
    }
    await reopen();
    for (let at = 130; at < 140; at += 1) journal.note({ effectKey: 'k_many', note: attempt(startMs + at) });
    await reopen();
    const [[meeting = []], [attempts = []]] = await Promise.all([
      journal.readMeetings(['m_many']),
      journal.readEffects(['k_many']),
    ]);
    expect([meeting.length, meeting.at(-1)?.atMs]).toEqual([100, startMs + 129]);
    expect([attempts.length, attempts[0]?.atMs, attempts.at(-1)?.atMs]).toEqual([
      20,
      startMs + 120,
      startMs + 139,
    ]);
  });

  it('forgets a meeting and its effects, also what is not written yet', async () => {
    const names = ['f_1', 'f_2'];
    for (const meetingId of names) journal.note({ meetingId, note: followed(startMs) });
    journal.note({ effectKey: 'f_k1', note: attempt(startMs) });
    journal.note({ effectKey: 'f_k2', note: attempt(startMs) });
    await journal.forget('f_1', ['f_k1']);
    expect(await journal.readMeetings(names)).toEqual([[], [followed(startMs)]]);
    expect(await journal.readEffects(['f_k1', 'f_k2'])).toEqual([[], [attempt(startMs)]]);
    const listed = await journal.listMeetings({ limit: 100 });
    expect(listed.map(({ meetingId }) => meetingId)).not.toContain('f_1');
    await journal.forget('f_2', ['f_k2', 'none\0']);
  });

  it('lists meetings, newest first, page by page, also those of one moment', async () => {
    const names = ['p_a', 'p_b', 'p_c', 'p_d', 'p_e'];
    for (const meetingId of names) journal.note({ meetingId, note: followed(startMs + dayMs) });
    journal.note({ meetingId: 'p_c', note: followed(startMs + 2 * dayMs) });
    await reopen();
    const first = await journal.listMeetings({ limit: 2 });
    expect(first.map(({ meetingId }) => meetingId)).toEqual(['p_c', 'p_e']);
    const second = await journal.listMeetings({ limit: 2, after: first.at(-1) });
    expect(second.map(({ meetingId }) => meetingId)).toEqual(['p_d', 'p_b']);
    const third = await journal.listMeetings({ limit: 1, after: second.at(-1) });
    expect(third).toEqual([{ meetingId: 'p_a', atMs: startMs + dayMs }]);
    const older = await journal.listMeetings({ limit: 100, untilMs: startMs + dayMs - 1 });
    expect(older.map(({ meetingId }) => meetingId)).toEqual(['m_many', 'm_1']);
  });

  it('forgets after 90 days', async () => {
    await journal.sweep(startMs + 90 * dayMs + 500);
    const left = await journal.listMeetings({ limit: 100 });
    expect(left.map(({ meetingId }) => meetingId)).not.toContain('m_1');
    expect(left.map(({ meetingId }) => meetingId)).toContain('p_a');
  });
});
