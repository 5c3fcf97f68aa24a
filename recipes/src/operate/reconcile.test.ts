import { type MeetingPhase, ServiceError } from '@aftermeet/client';
import { describe, expect, it } from 'vitest';

import { createMemoryTools } from '../testing/memory-tools.ts';
import { type MeetingFinder, reconcile } from './reconcile.ts';

const nowMs = Date.parse('2026-07-07T13:00:00Z');

const options = { sinceMs: 2 * 24 * 60 * 60 * 1000, endpoint: 'default', endpoints: [] };

/** A service with pages of meetings, by id and phase, and what it was asked. */
function openService(pages: readonly Readonly<Record<string, MeetingPhase | 'gone' | 'planned'>>[]) {
  const asked: string[] = [];
  const phases = new Map(pages.flatMap((page) => Object.entries(page)));
  const client: MeetingFinder = {
    meetings: {
      async *search(input = {}) {
        for (const [page, meetings] of pages.entries()) {
          asked.push(`page ${page} from ${input.dateFrom}`);
          const found = Object.entries(meetings).map(([id, phase]) => ({
            id,
            title: `About ${id}`,
            startedAt: phase === 'planned' ? '2026-07-08T12:00:00.000Z' : '2026-07-07T11:00:00.000Z',
            tags: [],
            raw: undefined,
          }));
          yield { page, items: found, warnings: [], raw: undefined };
        }
      },
    },
    recordings: {
      async status(meetingId) {
        asked.push(meetingId);
        const phase = phases.get(meetingId);
        if (phase === 'gone') throw new ServiceError({ code: 'not_found', operation: 'asking', status: 404 });
        if (phase === undefined || phase === 'planned') throw new Error('not to be asked');
        return { phase, status: phase };
      },
    },
  };
  return { client, asked };
}

/** A meeting that is told of, as the outcome shows it. */
function missed(meetingId: string, ending: string, endpoint: string, isOwnEndpoint: boolean) {
  const startedAt = '2026-07-07T11:00:00.000Z';
  const facts = { meetingId, kind: `meeting.${ending}`, title: `About ${meetingId}`, startedAt };
  return { ...facts, endpoint, isOwnEndpoint };
}

describe('reconcile', () => {
  it('queues finished meetings of which nothing was heard, and asks about no others', async () => {
    const tools = createMemoryTools(nowMs);
    tools.seen.set('heard', {
      meetingId: 'heard',
      seenAtMs: 0,
      completedAt: '2026-07-07T12:00:00Z',
      endpoint: 'hr',
    });
    tools.seen.set('mended', { meetingId: 'mended', seenAtMs: 0, endpoint: 'sales' });
    tools.seen.set('told', { meetingId: 'told', seenAtMs: 0, endpoint: 'sales' });
    const { client, asked } = openService([
      { heard: 'ready', ready: 'ready', broken: 'failed', mended: 'ready', told: 'failed' },
      { ready: 'ready', live: 'recording', odd: 'unknown', gone: 'gone', later: 'planned', off: 'cancelled' },
    ]);
    const progress: number[] = [];
    const outcome = await reconcile(
      { ...tools, client },
      { ...options, onProgress: ({ searched }) => progress.push(searched) },
    );
    expect(outcome).toEqual({
      searched: 10,
      delivered: 2,
      unfinished: 3,
      unclear: ['odd', 'gone'],
      undelivered: [
        missed('ready', 'completed', 'default', false),
        missed('broken', 'failed', 'default', false),
        missed('mended', 'completed', 'sales', true),
      ],
      misplaced: [],
    });
    expect(progress).toEqual([5, 10]);
    expect(asked).toEqual([
      'page 0 from 2026-07-05',
      'ready',
      'broken',
      'mended',
      'told',
      'page 1 from 2026-07-05',
      'live',
      'odd',
      'gone',
      'off',
    ]);
    expect(tools.events.size).toBe(3);
  });

  it('writes the event as the service would have, under an id that is the same everywhere', async () => {
    const tools = createMemoryTools(nowMs);
    const { client } = openService([{ m_1: 'ready' }]);
    await reconcile({ ...tools, client }, { ...options, endpoint: 'sales' });
    await reconcile({ ...tools, client, clock: () => nowMs + 1000 }, { ...options, endpoint: 'sales' });
    // SHA-256 of ["reconcile","m_1","meeting.completed"].
    expect(tools.changes).toEqual(['event 56829b630db44bb459f1f50cdd1983a4e940b1affa20cf751ceecdc7070426ce']);
    expect([...tools.events.values()][0]?.data).toEqual({
      endpoint: 'sales',
      receivedAt: '2026-07-07T13:00:00.000Z',
      body:
        '{"event":"meeting.completed","meeting_id":"m_1","timestamp":"2026-07-07T13:00:00.000Z",' +
        '"data":{"title":"About m_1"}}',
    });
  });

  it('sends a meeting where it belongs: as it was ordered, else where an earlier event came', async () => {
    const tools = createMemoryTools(nowMs);
    tools.seen.set('series', { meetingId: 'series', seenAtMs: 0, endpoint: 'sales' });
    tools.seen.set('both', { meetingId: 'both', seenAtMs: 0, endpoint: 'sales' });
    for (const id of ['talk', 'both']) tools.orders.set(id, 'hr');
    const { client } = openService([{ series: 'ready', both: 'ready', talk: 'ready', other: 'ready' }]);
    await reconcile({ ...tools, client }, { ...options, endpoints: ['default', 'sales', 'hr'] });
    const queued = [...tools.events.values()].map(({ data }) => [
      data?.endpoint,
      /"meeting_id":"(\w+)"/.exec(data?.body ?? '')?.[1],
    ]);
    expect(queued).toEqual([
      ['sales', 'series'],
      ['hr', 'both'],
      ['hr', 'talk'],
      ['default', 'other'],
    ]);
  });

  it('queues no meeting whose endpoint is not configured any more, and says so', async () => {
    const tools = createMemoryTools(nowMs);
    tools.orders.set('talk', 'hr');
    const { client } = openService([{ talk: 'ready' }]);
    const outcome = await reconcile({ ...tools, client }, { ...options, endpoints: ['default', 'people'] });
    expect(outcome).toMatchObject({ undelivered: [], misplaced: [{ meetingId: 'talk', endpoint: 'hr' }] });
    expect(tools.events.size).toBe(0);
  });

  it('queues nothing in a dry run', async () => {
    const tools = createMemoryTools(nowMs);
    const { client } = openService([{ m_1: 'ready' }]);
    const { undelivered } = await reconcile({ ...tools, client }, { ...options, isDryRun: true });
    expect(undelivered).toHaveLength(1);
    expect(tools.changes).toEqual([]);
  });

  it('keeps what it has queued when the service fails on the way', async () => {
    const tools = createMemoryTools(nowMs);
    const { client } = openService([{ m_1: 'ready' }, { m_2: 'ready' }]);
    const status: MeetingFinder['recordings']['status'] = async (meetingId) => {
      if (meetingId === 'm_2')
        throw new ServiceError({ code: 'unauthorized', operation: 'asking', status: 401 });
      return { phase: 'ready', status: 'new' };
    };
    const failing = { ...client, recordings: { status } };
    await expect(reconcile({ ...tools, client: failing }, options)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(tools.events.size).toBe(1);
  });
});
