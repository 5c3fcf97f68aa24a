import { type ReportAnswer, type ReportReader, ServiceError, type ServiceErrorCode } from '@aftermeet/client';
import { describe, expect, it } from 'vitest';

import { createDigestSource } from './digest-source.ts';
import { growWait } from './grow-wait.ts';
import { readDigest, type ReadingTools } from './read-digest.ts';
import type { MeetingEvent } from './recipe.ts';
import { createServicePause } from './service-pause.ts';
import { keepLog } from './testing/keep-log.ts';
import { sampleReport } from './testing/sample-report.ts';

const event: MeetingEvent = {
  kind: 'meeting.completed',
  meetingId: 'm_1',
  occurrence: '2026-07-07T12:00:00Z',
  endpoint: 'default',
  receivedAt: '2026-07-07T12:00:01.000Z',
};

function open(answer: () => ReportAnswer | Promise<ReportAnswer>) {
  const log = keepLog();
  const asked: string[] = [];
  const world = { nowMs: Date.parse('2026-07-07T12:00:02Z') };
  const clock = (): number => world.nowMs;
  const client: ReportReader = {
    reports: {
      get: async (meetingId) => {
        asked.push(meetingId);
        return answer();
      },
    },
  };
  const tools: ReadingTools = {
    digests: createDigestSource(client, clock, () => {}),
    pause: createServicePause(log, clock),
    clock,
  };
  return { log, asked, world, tools };
}

function serviceError(code: ServiceErrorCode, status: number, retryAfterMs?: number): () => never {
  return () => {
    throw new ServiceError({
      code,
      status,
      doing: 'reports.get: GET /api/video/report',
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  };
}

describe('readDigest', () => {
  it('fetches a report once for all effects of its event, and again when some time has passed', async () => {
    const { asked, tools, world } = open(() => ({ ready: true, report: sampleReport }));
    const readings = await Promise.all([1, 2, 3].map(() => readDigest(event, 1, tools)));
    expect(readings.map(({ kind }) => kind)).toEqual(['digest', 'digest', 'digest']);
    expect(asked).toEqual(['m_1']);
    world.nowMs += 30_001;
    await readDigest(event, 1, tools);
    expect(asked).toHaveLength(2);
  });

  it('fetches a later occurrence of a series anew', async () => {
    const { asked, tools } = open(() => ({ ready: true, report: sampleReport }));
    await readDigest(event, 1, tools);
    await readDigest({ ...event, occurrence: '2026-07-14T12:00:00Z' }, 1, tools);
    expect(asked).toHaveLength(2);
  });

  it('waits longer and longer for a report that is not ready, and gives up after a day', async () => {
    const { tools, world } = open(() => ({ ready: false, status: 'processing' }));
    expect(await readDigest(event, 1, tools)).toEqual({
      kind: 'wait',
      forMs: 5000,
      cause: 'the report is not ready',
    });
    expect([2, 3, 7, 99].map((startedTimes) => growWait(startedTimes))).toEqual([
      10_000, 20_000, 300_000, 300_000,
    ]);
    world.nowMs += 24 * 3_600_000;
    expect(await readDigest(event, 99, tools)).toMatchObject({ kind: 'failed' });
  });

  it('pauses everything on a refused key, says once what to do, and does not ask meanwhile', async () => {
    const { asked, log, tools, world } = open(serviceError('unauthorized', 401));
    for (let count = 0; count < 5; count += 1) {
      expect(await readDigest({ ...event, meetingId: `m_${count}` }, 1, tools)).toMatchObject({
        kind: 'wait',
        forMs: 30_000,
      });
    }
    expect(asked).toHaveLength(1);
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(log.lines[0]?.text).toContain('SERVICE_API_KEY');
    world.nowMs += 30_000;
    await readDigest(event, 1, tools);
    expect(asked).toHaveLength(2);
    expect(log.lines).toHaveLength(2);
  });

  it('says it once too when many fetches are refused at the same time', async () => {
    const { asked, log, tools } = open(serviceError('unauthorized', 401));
    const meetings = ['m_1', 'm_2', 'm_3'].map((meetingId) => ({ ...event, meetingId }));
    await Promise.all(meetings.map((meeting) => readDigest(meeting, 1, tools)));
    expect(asked).toHaveLength(3);
    expect(log.lines).toHaveLength(1);
  });

  it('comes back when the service said', async () => {
    const limited = open(serviceError('rate_limited', 429, 12_000));
    expect(await readDigest(event, 1, limited.tools)).toMatchObject({ kind: 'retry', forMs: 12_000 });
    const away = open(serviceError('server', 503, 7000));
    expect(await readDigest(event, 1, away.tools)).toMatchObject({ kind: 'retry', forMs: 7000 });
  });

  it('is to be tried again where that may help, and fetches anew then', async () => {
    const { tools, asked } = open(serviceError('server', 500));
    const retry = { kind: 'retry', cause: 'the report cannot be fetched now: server (500)' };
    expect(await readDigest(event, 1, tools)).toEqual(retry);
    expect(await readDigest(event, 1, tools)).toEqual(retry);
    expect(asked).toHaveLength(2);
  });

  it.each<[ServiceErrorCode, number]>([
    ['server', 503],
    ['rate_limited', 429],
    ['bad_request', 400],
    ['unexpected_status', 418],
    ['unreadable', 200],
    ['not_found', 404],
    ['unauthorized', 401],
  ])('repeats nothing that the service answered with %s', async (code, status) => {
    const { log, tools } = open(() => {
      throw new ServiceError({ code, status, doing: 'reports.get', detail: '<h1>Ann said yes</h1>' });
    });
    const reading = await readDigest(event, 1, tools);
    expect(reading.kind).not.toBe('digest');
    expect(JSON.stringify([reading, log.lines])).not.toContain('Ann');
  });

  it('repeats nothing of a report that cannot be read', async () => {
    const { tools } = open(() => {
      throw new SyntaxError('Unexpected token A in "Ann said yes"');
    });
    await expect(readDigest(event, 1, tools)).rejects.toThrow(
      new Error('the report cannot be read (SyntaxError)'),
    );
  });

  it('is left to the next worker when this one is stopping', async () => {
    const { tools } = open(() => {
      throw new ServiceError({ code: 'aborted', doing: 'reports.get' });
    });
    expect(await readDigest(event, 1, tools)).toEqual({
      kind: 'wait',
      forMs: 1000,
      cause: 'the worker is stopping',
    });
  });

  it('fails for good when the meeting is not there', async () => {
    const { tools } = open(serviceError('not_found', 404));
    expect(await readDigest(event, 1, tools)).toEqual({
      kind: 'failed',
      cause: 'the service does not know this meeting, or has deleted its report (404)',
    });
  });
});
