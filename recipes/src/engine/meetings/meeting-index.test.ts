import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { useOpened } from '../../testing/use-ledger.ts';
import { openMeetingIndex } from '../store/open-stores.ts';
import type { SeenMeeting } from './meeting-index.ts';

const startMs = 1_795_000_000_000;

const dayMs = 86_400_000;

describeEachStore(
  'the meeting index',
  (kind) => {
    const open = useOpened(() => openTestStore(kind), openMeetingIndex);
    const index = () => open().opened;

    const note = (
      meetingId: string,
      event: string,
      { at = '2026-07-07T12:00:00Z', afterMs = 0, endpoint = 'hr', isUnsigned = false } = {},
    ): Promise<SeenMeeting | undefined> =>
      index().note({
        meetingId,
        kind: `meeting.${event}`,
        occurrence: at,
        endpoint,
        isUnsigned,
        nowMs: startMs + afterMs,
      });

    it('says what was known before each event', async () => {
      expect(await note('m_1', 'failed')).toBeUndefined();
      expect(await note('m_1', 'failed', { afterMs: 5 })).toEqual({
        meetingId: 'm_1',
        seenAtMs: startMs,
        endpoint: 'hr',
      });
      expect(await note('m_1', 'completed', { afterMs: 6 })).toEqual({
        meetingId: 'm_1',
        seenAtMs: startMs + 5,
        endpoint: 'hr',
      });
      expect(await note('m_1', 'failed', { at: '2026-07-07T11:00:00Z', afterMs: 7 })).toEqual({
        meetingId: 'm_1',
        seenAtMs: startMs + 6,
        endpoint: 'hr',
        completedAt: '2026-07-07T12:00:00Z',
      });
    });

    it('keeps the newest completion and the newest moment, in whatever order they come', async () => {
      const meetingId = 'm_2';
      await note(meetingId, 'completed', { at: '2026-07-07T14:00:00+02:00', afterMs: 10 });
      await note(meetingId, 'completed', { at: '2026-07-07T11:30:00Z', afterMs: 5 });
      const first = {
        meetingId,
        seenAtMs: startMs + 10,
        completedAt: '2026-07-07T14:00:00+02:00',
        endpoint: 'hr',
      };
      expect(await index().find([meetingId])).toEqual([first]);
      await note(meetingId, 'completed', { at: '2026-07-07T12:00:00.001Z', afterMs: 11 });
      const newer = {
        meetingId,
        seenAtMs: startMs + 11,
        completedAt: '2026-07-07T12:00:00.001Z',
        endpoint: 'hr',
      };
      expect(await index().find([meetingId])).toEqual([newer]);
    });

    it('takes a completion whose time it cannot read, until a better one comes', async () => {
      await note('m_3', 'completed', { at: 'soon' });
      expect(await index().find(['m_3'])).toMatchObject([{ completedAt: 'soon' }]);
      await note('m_3', 'completed');
      await note('m_3', 'completed', { at: 'later' });
      expect(await index().find(['m_3'])).toMatchObject([{ completedAt: '2026-07-07T12:00:00Z' }]);
    });

    it('tells only the first of many at the same time that nothing was known, from several processes', async () => {
      const other = await openMeetingIndex(open().backend);
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, nth) =>
          (nth % 2 === 0 ? index() : other).note({
            meetingId: `m_many_${nth % 4}`,
            kind: 'meeting.failed',
            occurrence: 'any',
            endpoint: 'hr',
            nowMs: startMs,
          }),
        ),
      );
      expect(answers.filter((answer) => answer === undefined)).toHaveLength(4);
      await other.close();
    });

    it('knows the endpoint of the newest signed event, and an unsigned one only where there is no other', async () => {
      const endpointOf = async (id: string) => (await index().find([id]))[0]?.endpoint;
      await note('m_moved', 'failed', { endpoint: 'uploads', isUnsigned: true });
      expect(await endpointOf('m_moved')).toBe('uploads');
      await note('m_moved', 'failed', { endpoint: 'sales' });
      await note('m_moved', 'failed', { endpoint: 'uploads', isUnsigned: true });
      expect(await endpointOf('m_moved')).toBe('sales');
      await note('m_moved', 'completed', { endpoint: 'hr' });
      expect(await endpointOf('m_moved')).toBe('hr');
    });

    it('knows what was ordered for which endpoint, before anything comes and for 400 days', async () => {
      await index().noteOrder({ meetingId: 'm_ordered', endpoint: 'sales', nowMs: startMs });
      await index().noteOrder({ meetingId: 'm_ordered', endpoint: 'hr', nowMs: startMs });
      expect(await index().findOrders(['m_ordered', 'm_other', 'm_ordered'])).toEqual(
        new Map([['m_ordered', 'hr']]),
      );
      expect(await index().findOrders([])).toEqual(new Map());
      expect(await index().find(['m_ordered'])).toEqual([]);
      if (kind === 'redis') return;
      await index().sweep(startMs + 400 * dayMs - 1);
      expect((await index().findOrders(['m_ordered'])).size).toBe(1);
      await index().sweep(startMs + 400 * dayMs);
      expect((await index().findOrders(['m_ordered'])).size).toBe(0);
    });

    it('finds many at once', async () => {
      const ids = Array.from({ length: 500 }, (_, nth) => `m_found_${nth}`);
      await Promise.all(ids.map((id) => note(id, 'failed')));
      const found = await index().find(['m_nobody', 'm_found_1', ...ids]);
      expect(found.map(({ meetingId }) => meetingId).toSorted()).toEqual(ids.toSorted());
      expect(await index().find([])).toEqual([]);
    });

    it('lists completed meetings by their newest event, oldest first', async () => {
      await note('m_a', 'completed', { afterMs: 1100 });
      await note('m_b', 'completed', { afterMs: 1000 });
      await note('m_c', 'failed', { afterMs: 1050 });
      await note('m_d', 'completed', { afterMs: 1200 });
      await note('m_e', 'completed', { afterMs: 900 });
      await note('m_e', 'failed', { afterMs: 1150 });
      const list = async (fromMs: number, toMs: number, limit = 10): Promise<string[]> =>
        (await index().list({ fromMs: startMs + fromMs, toMs: startMs + toMs, limit })).map(
          ({ meetingId }) => meetingId,
        );
      expect(await list(1000, 1200)).toEqual(['m_b', 'm_a', 'm_e']);
      expect(await list(1001, 1201)).toEqual(['m_a', 'm_e', 'm_d']);
      expect(await list(1000, 1200, 2)).toEqual(['m_b', 'm_a']);
      expect(await list(1000, 1200, 0)).toEqual([]);
      expect(await list(900, 1000)).toEqual([]);
    });

    it('forgets a meeting 90 days after its newest event', async () => {
      await note('m_old', 'completed', { afterMs: -10 * dayMs });
      await note('m_older', 'completed', { afterMs: -10 * dayMs - 1 });
      const list = () => index().list({ fromMs: 0, toMs: startMs - dayMs, limit: 10 });
      await index().sweep(startMs + 80 * dayMs - 1);
      expect((await list()).map(({ meetingId }) => meetingId)).toEqual(['m_old']);
      await index().sweep(startMs + 80 * dayMs);
      expect(await list()).toEqual([]);
      if (kind === 'redis') return;
      expect(await index().find(['m_old', 'm_older'])).toEqual([]);
      await note('m_gone', 'completed', { afterMs: -10 * dayMs });
      expect(await note('m_gone', 'failed', { afterMs: 80 * dayMs })).toBeUndefined();
      expect(await index().find(['m_gone'])).toEqual([
        { meetingId: 'm_gone', seenAtMs: startMs + 80 * dayMs, endpoint: 'hr' },
      ]);
    });
  },
  ['redis', 'postgres'],
);
