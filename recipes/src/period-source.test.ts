import { ServiceError, type ServiceErrorCode } from '@aftermeet/client';
import { describe, expect, it } from 'vitest';

import { buildDigest } from './digest.ts';
import type { SeenMeeting } from './meetings/meeting-index.ts';
import { createPeriodSource } from './period-source.ts';
import { sampleReport } from './testing/sample-report.ts';

const period = { fromMs: 1000, toMs: 2000 };

function digestOf(meetingId: string) {
  return buildDigest({ ...sampleReport, meetingId });
}

/** A source over these meetings; what is wrong with one is named by its id. */
function open(listed: readonly SeenMeeting[], failures: Readonly<Record<string, ServiceErrorCode>> = {}) {
  const asked: string[] = [];
  const source = createPeriodSource(
    { list: async ({ limit }) => listed.slice(0, limit) },
    {
      read: async ({ meetingId }) => {
        asked.push(meetingId);
        const code = failures[meetingId];
        if (code !== undefined) throw new ServiceError({ code, doing: 'reports.get: GET /api/video/report' });
        if (meetingId === 'm_unready') return { ready: false, status: 'processing' };
        return { ready: true, digest: digestOf(meetingId) };
      },
    },
  );
  return { asked, source };
}

function seen(meetingId: string, completedAt: string): SeenMeeting {
  return { meetingId, seenAtMs: 1500, completedAt };
}

describe('createPeriodSource', () => {
  it('has the meetings in the order in which they completed, whatever was heard of them since', async () => {
    const { source } = open([
      seen('m_2', '2026-07-07T13:00:00+02:00'),
      seen('m_3', '2026-07-07T12:00:00Z'),
      seen('m_1', '2026-07-07T10:59:59.999Z'),
    ]);
    expect(await source.read(period)).toEqual(
      ['m_1', 'm_2', 'm_3'].map((meetingId) => ({ digest: digestOf(meetingId) })),
    );
  });

  it('says of which meetings nothing can be told, and why', async () => {
    const { source } = open(
      ['m_gone', 'm_torn', 'm_odd', 'm_unready', 'm_1'].map((id) => seen(id, '2026-07-07T12:00:00Z')),
      { m_gone: 'not_found', m_torn: 'unreadable', m_odd: 'bad_request' },
    );
    expect(await source.read(period)).toEqual([
      { leftOut: 'deleted' },
      { leftOut: 'unreadable' },
      { leftOut: 'unreadable' },
      { leftOut: 'not_ready' },
      { digest: digestOf('m_1') },
    ]);
  });

  it('asks for a hundred reports, and counts the meetings beyond them', async () => {
    const ids = Array.from({ length: 130 }, (_, index) => `m_${index}`);
    const { asked, source } = open(ids.map((id) => seen(id, '2026-07-07T12:00:00Z')));
    const meetings = await source.read(period);
    expect(asked).toEqual(ids.slice(0, 100));
    expect(meetings).toHaveLength(130);
    expect(meetings.slice(100)).toEqual(Array.from({ length: 30 }, () => ({ leftOut: 'too_many' })));
  });

  it.each<ServiceErrorCode>(['server', 'connection', 'timeout', 'rate_limited', 'unauthorized', 'aborted'])(
    'rejects when the service as a whole fails with %s',
    async (code) => {
      const { asked, source } = open(
        ['m_1', 'm_2', 'm_3'].map((id) => seen(id, '2026-07-07T12:00:00Z')),
        { m_2: code },
      );
      await expect(source.read(period)).rejects.toMatchObject({ code });
      expect(asked).toEqual(['m_1', 'm_2']);
    },
  );
});
