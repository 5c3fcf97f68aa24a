import { type ReportAnswer, type ReportReader, ServiceError, type ServiceErrorCode } from '@aftermeet/client';
import { describe, expect, it } from 'vitest';

import { bindRecipes } from '../prebuilt/bind-recipes.ts';
import { sampleEvent, sampleReport } from '../testing/sample-report.ts';
import type { AlertThrottle } from './alert-throttle.ts';
import { composeEffect, type ComposingTools, readDigest, type ReadingTools } from './compose.ts';
import { createDigestSource } from './digest-source.ts';
import type { KeyWatch } from './limits/key-watch.ts';

it('asks the gate of alerts for each recipe whose effect has failed', async () => {
  const [alert] = bindRecipes([{ name: 'alert', use: 'slack-alert', when: {}, with: {} }], {
    slack: { token: 'xoxb-1', channel: 'C0123456789' },
  });
  if (alert === undefined) throw new Error('there is no recipe');
  const asked: unknown[] = [];
  const alertThrottle: AlertThrottle = {
    admit: async (question) => {
      asked.push(question);
      return { kind: 'suppressed', sinceMs: 0 };
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an alert needs nothing else
  const tools = { alertThrottle, clock: () => 0 } as unknown as ComposingTools;
  const event = { ...sampleEvent, kind: 'effect.failed' };
  const label = { recipe: 'alert', destination: 'slack', target: 'C0123456789' } as const;
  const data = { ...label, effectKey: 'k1', part: 0, traceId: 't' };
  for (const about of [{ recipe: 'recap' }, {}]) {
    const composed = await composeEffect({ data: { ...data, event: { ...event, ...about } } }, alert, tools);
    expect(composed).toEqual({
      kind: 'skipped',
      cause: 'an alert of this kind was sent at 1970-01-01T00:00:00.000Z; the next one counts this one',
    });
  }
  const target = 'C0123456789';
  const question = {
    recipe: 'alert',
    eventKind: 'effect.failed',
    target,
    effectKey: 'k1',
    cooldownMs: 600_000,
  };
  expect(asked).toEqual([{ ...question, about: ['recipe recap', 'meeting m_1'] }, question]);
});

it.each([
  [{ event: 'meeting.failed' }, {}, 'composed', undefined],
  [
    { event: 'meeting.failed', tag: 'sales' },
    {},
    'skipped',
    'its conditions do not hold, or need a report, which a failed meeting does not have',
  ],
  [
    { event: 'meeting.failed' },
    { occurrence: 'unsigned' },
    'skipped',
    'an unsigned delivery does not prove that the meeting failed',
  ],
  [{}, {}, 'skipped', 'its conditions do not hold, or need a report, which a failed meeting does not have'],
])('composes a failed meeting with the conditions %j and %j as %s', async (when, facts, kind, cause) => {
  const options = { url: 'https://hooks.example.com/', secret: 'a-secret-of-some-length' };
  const [forward] = bindRecipes([{ name: 'forward', use: 'http-forward', when, with: options }], {});
  if (forward === undefined) throw new Error('there is no recipe');
  const failed = { ...sampleEvent, kind: 'meeting.failed', ...facts };
  const [planned] = forward.plan(failed);
  if (planned === undefined) throw new Error('nothing is planned');
  const data = { recipe: 'forward', destination: 'http', effectKey: 'k1', event: failed, ...planned };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no report is read
  const composed = await composeEffect({ data }, forward, {} as unknown as ComposingTools);
  expect(composed).toMatchObject({ kind, ...(cause === undefined ? {} : { cause }) });
});

function open(answer: () => ReportAnswer | Promise<ReportAnswer>) {
  const alerts: string[] = [];
  const heard: boolean[] = [];
  const refusals: number[] = [];
  const keyWatch: KeyWatch = {
    waitMs: () => 0,
    refused: async (nowMs) => {
      refusals.push(nowMs);
      return { isFirst: refusals.length === 1, episode: 'e1', waitMs: 30_000 };
    },
    accepted: async () => {},
  };
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
    keyWatch,
    gate: { enter: () => ({ kind: 'go', leave: (hasAnswered) => void heard.push(hasAnswered) }) },
    onKeyRefused: async (episode) => void alerts.push(episode),
    clock,
  };
  return { alerts, heard, asked, world, tools };
}

function serviceError(code: ServiceErrorCode, status: number, retryAfterMs?: number): () => never {
  return () => {
    throw new ServiceError({
      code,
      status,
      operation: 'reports.get: GET /api/video/report',
      detail: '<h1>Ann said yes</h1>',
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  };
}

describe('readDigest', () => {
  it('fetches a later occurrence of a series anew', async () => {
    const { asked, tools } = open(() => ({ ready: true, report: sampleReport }));
    await readDigest(sampleEvent, tools);
    await readDigest({ ...sampleEvent, occurrence: '2026-07-14T12:00:00Z' }, tools);
    expect(asked).toHaveLength(2);
  });

  it('waits while the key is refused, and raises one alert for each time that this begins', async () => {
    const { alerts, heard, tools } = open(serviceError('unauthorized', 401));
    for (const meetingId of ['m_1', 'm_2', 'm_3']) {
      expect(await readDigest({ ...sampleEvent, meetingId }, tools)).toEqual({
        kind: 'wait',
        why: 'key_refused',
        forMs: 30_000,
        cause: 'the service refused the API key (401)',
      });
    }
    expect(alerts).toEqual(['e1']);
    expect(heard).toEqual([true, true, true]);
  });

  it('does not ask while the key is known to be refused', async () => {
    const { asked, tools } = open(() => ({ ready: true, report: sampleReport }));
    const keyWatch = { ...tools.keyWatch, waitMs: () => 12_000 };
    expect(await readDigest(sampleEvent, { ...tools, keyWatch })).toMatchObject({
      kind: 'wait',
      forMs: 12_000,
    });
    expect(asked).toEqual([]);
  });

  it('is waited for, up to a day, when it is not ready, and asked for anew then', async () => {
    const { asked, tools } = open(() => ({ ready: false, status: 'processing' }));
    for (let times = 1; times <= 2; times += 1) {
      expect(await readDigest(sampleEvent, tools)).toEqual({
        kind: 'retry',
        why: 'report_not_ready',
        cause: 'the report is not ready',
        limits: { firstWaitMs: 5000, maxWaitMs: 300_000, patienceMs: 86_400_000 },
      });
      expect(asked).toHaveLength(times);
    }
  });

  const later = (answer: string) => ({
    kind: 'retry',
    why: 'service',
    cause: `the report cannot be fetched now: ${answer}`,
  });
  const never = (answer: string) => ({ kind: 'failed', cause: `the report cannot be fetched: ${answer}` });

  it.each<[ServiceErrorCode, number, number | undefined, object, boolean]>([
    ['bad_request', 400, undefined, never('bad_request (400)'), true],
    ['unreadable', 200, undefined, never('unreadable (200)'), true],
    ['payment_required', 402, undefined, later('payment_required (402)'), true],
    ['forbidden', 403, undefined, later('forbidden (403)'), true],
    ['redirected', 302, undefined, later('redirected (302)'), true],
    ['unexpected_status', 418, undefined, later('unexpected_status (418)'), true],
    // The service says when to come back.
    ['rate_limited', 429, 12_000, { ...later('rate_limited (429)'), forMs: 12_000 }, true],
    ['server', 503, 7000, { ...later('server (503)'), forMs: 7000 }, true],
    ['server', 500, undefined, later('server (500)'), true],
    ['timeout', 500, undefined, later('timeout (500)'), false],
    ['connection', 500, undefined, later('connection (500)'), false],
    [
      'not_found',
      404,
      undefined,
      {
        kind: 'retry',
        why: 'meeting_unknown',
        cause: 'the service does not know this meeting, or has deleted its report (404)',
        limits: { firstWaitMs: 5000, maxWaitMs: 300_000, patienceMs: 600_000 },
      },
      true,
    ],
    [
      'aborted',
      500,
      undefined,
      { kind: 'wait', why: 'stopping', forMs: 1000, cause: 'the worker is stopping' },
      true,
    ],
  ])('of %s (%i, again after %s ms) ends as %j, with an answer: %s', async (...row) => {
    const [code, status, retryAfterMs, ending, hasAnswered] = row;
    const { heard, tools } = open(serviceError(code, status, retryAfterMs));
    expect(await readDigest(sampleEvent, tools)).toEqual(ending);
    expect(heard).toEqual([hasAnswered]);
  });

  it('repeats nothing of a report that cannot be read', async () => {
    const { tools } = open(() => {
      throw new SyntaxError('Unexpected token A in "Ann said yes"');
    });
    await expect(readDigest(sampleEvent, tools)).rejects.toThrow(
      new Error('the report cannot be read (SyntaxError)'),
    );
  });

  it('is not asked for while the service does not answer', async () => {
    const { asked, tools } = open(() => ({ ready: true, report: sampleReport }));
    const gate = { enter: () => ({ kind: 'wait' as const, forMs: 7000 }) };
    expect(await readDigest(sampleEvent, { ...tools, gate })).toEqual({
      kind: 'retry',
      why: 'service',
      forMs: 7000,
      cause: 'the service does not answer',
    });
    expect(asked).toEqual([]);
  });

  it('is there although the store cannot be told that the key works', async () => {
    const { tools } = open(() => ({ ready: true, report: sampleReport }));
    const keyWatch = { ...tools.keyWatch, accepted: () => Promise.reject(new Error('away')) };
    expect((await readDigest(sampleEvent, { ...tools, keyWatch })).kind).toBe('digest');
  });
});
