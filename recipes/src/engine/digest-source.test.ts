import { once } from 'node:events';
import { createServer } from 'node:http';

import { createClient, type ReportAnswer, ServiceError, type ServiceErrorCode } from '@aftermeet/client';
import { createSandbox } from '@aftermeet/sandbox';
import { afterEach, describe, expect, it } from 'vitest';

import { bindRecipes } from '../prebuilt/bind-recipes.ts';
import { buildDigest } from '../report/digest.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { createDigestSource, createPeriodSource } from './digest-source.ts';
import type { SeenMeeting } from './meetings/meeting-index.ts';
import { planEffects } from './plan.ts';
import type { BoundRecipe } from './recipe.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A report whose digest has about 1.2 million characters. */
const longReport = {
  ...sampleReport,
  decisions: Array.from({ length: 300 }, () => 'd'.repeat(2000)),
  tasks: Array.from({ length: 300 }, () => ({ text: 't'.repeat(2000) })),
};

function nameMeeting(meetingId: string) {
  return { meetingId, kind: 'meeting.completed', occurrence: '2026-07-07T12:00:00Z' };
}

function open(answer: (meetingId: string) => Promise<ReportAnswer>) {
  const asked: string[] = [];
  const fetched: string[] = [];
  const time = { nowMs: 0 };
  const client = {
    reports: {
      get: (meetingId: string) => {
        asked.push(meetingId);
        return answer(meetingId);
      },
    },
  };
  const digests = createDigestSource(
    client,
    () => time.nowMs,
    (meetingId) => void fetched.push(meetingId),
  );
  const read = (meetingId: string) => digests.read(nameMeeting(meetingId));
  return { asked, fetched, time, read };
}

async function ready(meetingId: string): Promise<ReportAnswer> {
  return { ready: true, report: { ...sampleReport, meetingId } };
}

describe('transcripts of a recipe', () => {
  const talk = Array.from({ length: 1000 }, (_each, nth) => ({
    speaker: 'Ann',
    text: 'x'.repeat(1500),
    startSeconds: nth,
  }));

  function openWithTranscripts() {
    const asked: string[] = [];
    const get = async (meetingId: string): Promise<ReportAnswer> => {
      asked.push(meetingId);
      return { ready: true, report: { ...sampleReport, meetingId, transcript: talk } };
    };
    const digests = createDigestSource(
      { reports: { get } },
      () => 0,
      () => {},
      { keepsTranscripts: true },
    );
    const read = async (meetingId: string, withTranscript: boolean) => {
      const answer = await digests.read(nameMeeting(meetingId), { withTranscript });
      return answer.ready ? answer.digest : expect.fail('not ready');
    };
    return { asked, read };
  }

  it('are in no digest of another recipe, and need no second fetch', async () => {
    const { asked, read } = openWithTranscripts();
    expect(await read('m_1', false)).not.toHaveProperty('transcript');
    expect(await read('m_1', true)).toHaveProperty('transcript');
    expect(asked).toEqual(['m_1']);
  });

  it('push no digest of another recipe out of its cache', async () => {
    const { asked, read } = openWithTranscripts();
    const meetings = ['m_1', 'm_2', 'm_3', 'm_4', 'm_5'];
    for (const meeting of meetings) await read(meeting, false);
    for (const meeting of meetings) await read(meeting, false);
    expect(asked).toEqual(meetings);
  });
});

describe('createDigestSource', () => {
  it('lets all who ask at once share one fetch, its failure too', async () => {
    const shared = open(ready);
    const answers = await Promise.all(['m_1', 'm_1', 'm_2'].map(shared.read));
    expect(answers[0]).toBe(answers[1]);
    expect(shared.asked).toEqual(['m_1', 'm_2']);
    expect(shared.fetched).toEqual(['m_1', 'm_2']);
    const failing = open(() => Promise.reject(new Error('away')));
    const failures = await Promise.allSettled([failing.read('m_1'), failing.read('m_1')]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failing.asked).toEqual(['m_1']);
  });

  it('keeps a digest for half a minute, no failure, and no report that is not ready', async () => {
    let answer: () => Promise<ReportAnswer> = () => Promise.reject(new Error('away'));
    const { asked, time, read } = open(() => answer());
    await expect(read('m_1')).rejects.toThrow('away');
    answer = async () => ({ ready: false, status: 'processing' });
    expect(await read('m_1')).toEqual({ ready: false, status: 'processing' });
    answer = () => ready('m_1');
    await read('m_1');
    expect(asked).toHaveLength(3);
    time.nowMs = 29_999;
    await read('m_1');
    expect(asked).toHaveLength(3);
    time.nowMs = 30_000;
    await read('m_1');
    expect(asked).toHaveLength(4);
  });

  it('keeps four million characters: the oldest digests go first, and the rest stays', async () => {
    const { asked, read } = open(async (meetingId) => ({
      ready: true,
      report: { ...longReport, meetingId },
    }));
    for (const meetingId of ['m_1', 'm_2', 'm_3', 'm_4']) await read(meetingId);
    expect(asked).toHaveLength(4);
    for (const meetingId of ['m_2', 'm_3', 'm_4']) await read(meetingId);
    expect(asked).toHaveLength(4);
    await read('m_1');
    expect(asked).toHaveLength(5);
    await read('m_2');
    expect(asked).toHaveLength(6);
  });

  it('has all its room again when what it kept has expired', async () => {
    const { asked, time, read } = open(async (meetingId) => ({
      ready: true,
      report: { ...longReport, meetingId },
    }));
    for (let round = 0; round < 3; round += 1) {
      time.nowMs = round * 30_000;
      for (const meetingId of ['m_1', 'm_2', 'm_3', 'm_1', 'm_2', 'm_3']) await read(meetingId);
      expect(asked).toHaveLength(3 * (round + 1));
    }
  });

  it('lets nobody fetch again what is under way because others took its room', async () => {
    let answerFirst: ((answer: ReportAnswer) => void) | undefined;
    const { asked, read } = open((meetingId) =>
      meetingId === 'm_slow'
        ? new Promise<ReportAnswer>((resolve) => {
            answerFirst = resolve;
          })
        : Promise.resolve({ ready: true, report: { ...longReport, meetingId } }),
    );
    const slow = read('m_slow');
    for (const meetingId of ['m_1', 'm_2', 'm_3', 'm_4', 'm_5']) await read(meetingId);
    const same = read('m_slow');
    expect(asked.filter((meetingId) => meetingId === 'm_slow')).toHaveLength(1);
    answerFirst?.({ ready: true, report: { ...longReport, meetingId: 'm_slow' } });
    expect(await same).toBe(await slow);
    expect(await read('m_slow')).toBe(await slow);
  });

  it('asks the service by meeting id, and never the address that an event names', async () => {
    const requests: string[] = [];
    const elsewhere = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end('{}');
    });
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    closers.push(() => void elsewhere.close());
    const address = elsewhere.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const sandbox = createSandbox({ apiKey: 'key' });
    closers.push(() => sandbox.close());
    const { url } = await sandbox.listen();
    const [meetingId = ''] = sandbox.seed({ meetings: 1 }).meetingIds;

    const slack = { token: 't', channel: 'C0123456789' };
    const recipes = bindRecipes([{ name: 'recap', use: 'slack-recap', when: {}, with: {} }], { slack });
    const delivery = {
      endpoint: 'default',
      receivedAt: new Date().toISOString(),
      body: JSON.stringify({
        event: 'meeting.completed',
        meeting_id: meetingId,
        timestamp: new Date().toISOString(),
        data: { report_url: `http://127.0.0.1:${port}/api/video/report?meeting_id=${meetingId}` },
      }),
    };
    const planned = planEffects(delivery, { workspace: 'w', recipes }, 'job-1');
    const event = planned.ok ? planned.effects[0]?.event : undefined;
    expect(event?.reportUrl).toContain(`:${port}/`);

    const client = createClient({ baseUrl: url, apiKey: 'key', retries: 0 });
    const digests = createDigestSource(client, Date.now, () => {});
    expect(await digests.read(event ?? nameMeeting(''))).toMatchObject({
      ready: true,
      digest: { meetingId },
    });
    expect(requests).toEqual([]);
  });
});

const period = { fromMs: 1000, toMs: 2000 };

const digestRecipe = bindDigest();

function bindDigest(when: object = {}, endpointRecipes?: Record<string, string[]>): BoundRecipe {
  const mail = { smtpUrl: 'smtp://127.0.0.1:1', from: 'bot@example.com', to: ['ann@example.com'] };
  const configured = { name: 'weekly', use: 'email-digest', when: { ...when }, with: {} };
  const [bound] = bindRecipes([configured], { email: mail }, endpointRecipes);
  if (bound === undefined) throw new Error('it is bound');
  return bound;
}

function digestOf(meetingId: string) {
  return buildDigest({ ...sampleReport, meetingId });
}

/** A source over these meetings; what is wrong with one is named by its id. */
function openForPeriodSource(
  listed: readonly SeenMeeting[],
  failures: Readonly<Record<string, ServiceErrorCode>> = {},
) {
  const asked: string[] = [];
  const source = createPeriodSource(
    { list: async ({ limit }) => listed.slice(0, limit) },
    {
      read: async ({ meetingId }) => {
        asked.push(meetingId);
        const code = failures[meetingId];
        if (code !== undefined)
          throw new ServiceError({ code, operation: 'reports.get: GET /api/video/report' });
        if (meetingId === 'm_unready') return { ready: false, status: 'processing' };
        return { ready: true, digest: digestOf(meetingId) };
      },
    },
  );
  return { asked, source };
}

function seen(meetingId: string, completedAt: string): SeenMeeting {
  return { meetingId, seenAtMs: 1500, completedAt, endpoint: 'default' };
}

describe('createPeriodSource', () => {
  it('has the meetings in the order in which they completed, whatever was heard of them since', async () => {
    const { source } = openForPeriodSource([
      seen('m_2', '2026-07-07T13:00:00+02:00'),
      seen('m_3', '2026-07-07T12:00:00Z'),
      seen('m_1', '2026-07-07T10:59:59.999Z'),
    ]);
    expect(await source.read(period, digestRecipe)).toEqual(
      ['m_1', 'm_2', 'm_3'].map((meetingId) => ({ digest: digestOf(meetingId) })),
    );
  });

  it('says of which meetings nothing can be told, and why', async () => {
    const { source } = openForPeriodSource(
      ['m_gone', 'm_torn', 'm_odd', 'm_unready', 'm_1'].map((id) => seen(id, '2026-07-07T12:00:00Z')),
      { m_gone: 'not_found', m_torn: 'unreadable', m_odd: 'bad_request' },
    );
    expect(await source.read(period, digestRecipe)).toEqual([
      { leftOut: 'deleted' },
      { leftOut: 'unreadable' },
      { leftOut: 'unreadable' },
      { leftOut: 'not_ready' },
      { digest: digestOf('m_1') },
    ]);
  });

  it('asks for a hundred reports, and counts the meetings beyond them', async () => {
    const ids = Array.from({ length: 130 }, (_, index) => `m_${index}`);
    const { asked, source } = openForPeriodSource(ids.map((id) => seen(id, '2026-07-07T12:00:00Z')));
    const meetings = await source.read(period, digestRecipe);
    expect(asked).toEqual(ids.slice(0, 100));
    expect(meetings).toHaveLength(130);
    expect(meetings.slice(100)).toEqual(Array.from({ length: 30 }, () => ({ leftOut: 'too_many' })));
  });

  it('has only the meetings of the endpoints that run the recipe, and asks for no others', async () => {
    const listed = ['m_sales', 'm_hr'].map((id) => ({
      ...seen(id, '2026-07-07T12:00:00Z'),
      endpoint: id.slice(2),
    }));
    const { asked, source } = openForPeriodSource(listed);
    const sales = bindDigest({}, { hr: ['hr-digest'] });
    expect(await source.read(period, sales)).toEqual([{ digest: digestOf('m_sales') }]);
    expect(asked).toEqual(['m_sales']);
    const named = bindDigest({ endpoint: 'hr' });
    expect(await source.read(period, named)).toEqual([{ digest: digestOf('m_hr') }]);
  });

  it('has only the meetings that meet the conditions, and says nothing of those that cannot be judged', async () => {
    const ids = ['m_1', 'm_unready', 'm_gone', 'm_2'];
    const { source } = openForPeriodSource(
      ids.map((id) => seen(id, '2026-07-07T12:00:00Z')),
      { m_gone: 'not_found' },
    );
    expect(await source.read(period, bindDigest({ not: { tag: 'hr' } }))).toEqual([
      { digest: digestOf('m_1') },
      { digest: digestOf('m_2') },
    ]);
    expect(await source.read(period, bindDigest({ tag: 'hr' }))).toEqual([]);
  });

  it('reads a thousand reports at most for a recipe with conditions, and counts the rest', async () => {
    const ids = Array.from({ length: 1002 }, (_, index) => `m_${index}`);
    const { asked, source } = openForPeriodSource(ids.map((id) => seen(id, '2026-07-07T12:00:00Z')));
    const meetings = await source.read(period, bindDigest({ tag: 'sales' }));
    expect(asked).toHaveLength(1000);
    const count = (leftOut: string) =>
      meetings.filter((one) => 'leftOut' in one && one.leftOut === leftOut).length;
    expect([meetings.length, count('too_many'), count('not_read')]).toEqual([1002, 900, 2]);
  });

  it.each<ServiceErrorCode>(['server', 'connection', 'timeout', 'rate_limited', 'unauthorized', 'aborted'])(
    'rejects when the service as a whole fails with %s',
    async (code) => {
      const { asked, source } = openForPeriodSource(
        ['m_1', 'm_2', 'm_3'].map((id) => seen(id, '2026-07-07T12:00:00Z')),
        { m_2: code },
      );
      await expect(source.read(period, digestRecipe)).rejects.toMatchObject({ code });
      expect(asked).toEqual(['m_1', 'm_2']);
    },
  );
});
