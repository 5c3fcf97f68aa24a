import { beforeEach, describe, expect, it } from 'vitest';

import { createSandbox } from './create-sandbox.ts';
import type { Transitions, WrittenTransitions } from './lifecycle.ts';
import { type LivingSandbox, startLivingSandbox } from './testing/sandbox.ts';
import { uploadWhole } from './testing/uploads.ts';

describe('transitions by the clock', () => {
  /** As long as is spoken in the first sample meeting. */
  const recordingMs = 140_000;
  const processingMs = 20_000;

  let service: LivingSandbox;

  beforeEach(async () => {
    service = await startLivingSandbox({ transitions: 'clock' });
  });

  const record = (fields: object = {}): Promise<string> =>
    service.record({ webhook_url: service.receiverUrl, ...fields });

  /** What was sent, without waiting for its arrival. */
  const sent = (): readonly string[] =>
    service.sandbox
      .deliveries()
      .toReversed()
      .map(({ event }) => event);

  describe('a bot that is sent at once', () => {
    it('records as long as is spoken, and is processed for 20 seconds', async () => {
      const meetingId = await record();
      const steps = [
        [recordingMs - 1, 'recording'],
        [1, 'processing'],
        [processingMs - 1, 'processing'],
        [1, 'new'],
        [7 * 86_400_000, 'new'],
      ] as const;
      for (const [byMs, expected] of steps) {
        service.advance(byMs);
        expect(await service.readStatus(meetingId)).toBe(expected);
      }
      expect(await service.waitForEvents(1)).toEqual([
        {
          event: 'meeting.completed',
          meeting_id: meetingId,
          timestamp: '2026-07-07T12:02:40Z',
          data: {
            title: 'Launch review: shared calendars',
            is_transcript_empty: false,
            report_url: `${service.url}/api/video/report?meeting_id=${meetingId}`,
          },
        },
      ]);
    });

    it('is processed from when it is stopped', async () => {
      const meetingId = await record();
      service.advance(30_000);
      await service.call('POST', '/api/stop-recording', { meeting_id: meetingId });
      service.advance(processingMs - 1);
      expect(await service.readStatus(meetingId)).toBe('processing');
      service.advance(1);
      expect(await service.readStatus(meetingId)).toBe('new');
      service.advance(recordingMs);
      expect(sent()).toEqual(['meeting.completed']);
    });

    it.each([
      [
        'completed',
        (meetingId: string) => service.sandbox.completeMeeting(meetingId),
        'new',
        'meeting.completed',
      ],
      ['failed', (meetingId: string) => service.sandbox.failMeeting(meetingId), 'failed', 'meeting.failed'],
    ])('stays as it is once it was %s', async (_how, end, expected, event) => {
      const meetingId = await record();
      end(meetingId);
      service.advance(86_400_000);
      expect(await service.readStatus(meetingId)).toBe(expected);
      expect(sent()).toEqual([event]);
    });
  });

  describe('a bot that is sent for later', () => {
    it('starts at its time, given in any time zone', async () => {
      const meetingId = await record({ local_date_time: '2026-07-09T10:00:00+03:00' });
      service.advance(43 * 3_600_000 - 1);
      expect(await service.readStatus(meetingId)).toBe('queued');
      service.advance(1);
      expect(await service.readStatus(meetingId)).toBe('recording');
      service.advance(recordingMs + processingMs);
      const [event] = await service.waitForEvents(1);
      expect(event?.timestamp).toBe('2026-07-09T07:02:40Z');
      expect((await service.readReport(meetingId)).body).toMatchObject({
        followup_v2: { date: '2026-07-09T10:00:00+03:00' },
      });
    });
  });

  it('moves several meetings in the order of time, in one advance', async () => {
    const later = await record({ local_date_time: '2026-07-07T12:02:00Z', title: 'Later' });
    const now = await record({ title: 'Now' });
    service.advance(3_600_000);
    const ends = (await service.waitForEvents(2)).map(({ meeting_id: id, timestamp }) => [id, timestamp]);
    // The second sample meeting is the shorter one.
    expect(new Set(ends)).toEqual(
      new Set([
        [now, expect.stringMatching(/^2026-07-07T12:02:/)],
        [later, '2026-07-07T12:04:40Z'],
      ]),
    );
    expect(service.sandbox.deliveries().map(({ meetingId }) => meetingId)).toEqual([later, now]);
  });

  it('processes an uploaded file for 20 seconds', async () => {
    const { body } = await uploadWhole(service.url, 'hello');
    const { meeting_id: meetingId } = body as { meeting_id: string };
    service.advance(processingMs - 1);
    expect(await service.readStatus(meetingId)).toBe('processing');
    service.advance(1);
    expect(await service.readStatus(meetingId)).toBe('new');
  });
});

describe('other transitions', () => {
  let service: LivingSandbox;

  async function start(transitions: WrittenTransitions): Promise<void> {
    service = await startLivingSandbox({ transitions });
  }

  const ask = async (meetingId: string, times: number): Promise<readonly unknown[]> => {
    const answers: unknown[] = [];
    while (answers.length < times) answers.push(await service.readStatus(meetingId));
    return answers;
  };

  describe('immediately', () => {
    it('a meeting is ready soon after the answer has left, without the clock', async () => {
      await start('immediate');
      const meetingId = await service.record({ webhook_url: service.receiverUrl });
      expect(await service.waitForEvents(1)).toMatchObject([
        { event: 'meeting.completed', meeting_id: meetingId },
      ]);
      expect(await service.readStatus(meetingId)).toBe('new');
    });

    it('a meeting waits until the answer of its own call has left', async () => {
      await start('immediate');
      service.sandbox.faults.add({ on: 'recordings.start', kind: 'drip', ms: 60_000 });
      const lost = service.record({ webhook_url: service.receiverUrl }).catch(() => 'lost');
      const list = async (): Promise<readonly { status: string }[]> => {
        const { body } = await service.call('GET', '/_sandbox/meetings');
        return (body as { meetings: { status: string }[] }).meetings;
      };
      while ((await list()).length === 0);
      await service.record({ link: 'https://meet.example/other' });
      service.advance(0);
      expect(await list()).toMatchObject([{ status: 'new' }, { status: 'recording' }]);
      service.sandbox.faults.reset();
      await service.waitForEvents(1);
      expect(await lost).toBe('lost');
    });

    it('a planned one waits for its time, and a series for each of its times', async () => {
      await start('immediate');
      const planned = await service.record({ local_date_time: '2026-07-08T12:00:00Z' });
      const series = await service.record({ cron: '0 12 * * *' });
      service.advance(86_399_999);
      expect([await service.readStatus(planned), await service.readStatus(series)]).toEqual([
        'queued',
        'queued',
      ]);
      service.advance(1);
      expect([await service.readStatus(planned), await service.readStatus(series)]).toEqual(['new', 'new']);
      service.advance(2 * 86_400_000);
      const { body } = await service.call('GET', '/_sandbox/meetings');
      expect(body).toMatchObject({
        meetings: [
          { meeting_id: series, local_date_time: '2026-07-10T12:00:00.000Z' },
          { meeting_id: planned, local_date_time: '2026-07-08T12:00:00Z' },
        ],
      });
    });

    it('nothing comes back after a reset or a cancellation', async () => {
      await start('immediate');
      await service.record();
      service.sandbox.reset();
      const planned = await service.record({ local_date_time: '2026-07-08T12:00:00Z' });
      await service.call('DELETE', `/api/record-meeting?meeting_id=${planned}`);
      service.advance(86_400_000);
      expect((await service.call('GET', '/_sandbox/meetings')).body).toEqual({ meetings: [] });
    });
  });

  describe('with every so many queries', () => {
    it('a meeting is one state further', async () => {
      await start({ polls: 2 });
      const meetingId = await service.record({ local_date_time: '2026-08-01T12:00:00Z' });
      expect(await ask(meetingId, 7)).toEqual([
        'queued',
        'recording',
        'recording',
        'processing',
        'processing',
        'new',
        'new',
      ]);
    });

    it('of either kind, also the one that finds the report ready', async () => {
      await start({ polls: 1 });
      const meetingId = await service.record();
      expect((await service.readReport(meetingId)).status).toBe(202);
      expect((await service.readReport(meetingId)).status).toBe(200);
      expect(await ask(meetingId, 2)).toEqual(['processed', 'processed']);
    });

    it('a series comes, and comes again by the clock', async () => {
      await start({ polls: 1 });
      const meetingId = await service.record({ cron: '0 9 * * *' });
      expect(await ask(meetingId, 4)).toEqual(['recording', 'processing', 'new', 'new']);
      service.advance(21 * 3_600_000);
      expect(await ask(meetingId, 2)).toEqual(['processing', 'new']);
    });

    it('they may be written as the command has them', async () => {
      await start('polls:2');
      const meetingId = await service.record();
      expect(await ask(meetingId, 4)).toEqual(['recording', 'processing', 'processing', 'new']);
    });

    it.each([0, -1, 1.5, Number.NaN, Infinity].map((polls) => ({ polls })))(
      '%j are too few',
      (transitions) => {
        expect(() => createSandbox({ transitions })).toThrow(RangeError);
      },
    );

    it.each(['bogus', 'polls:0', 'polls:1.5', null, { polls: '3' }])(
      '%j are no transitions, in plain JavaScript',
      (transitions) => {
        expect(() => createSandbox({ transitions: transitions as Transitions })).toThrow(
          /^Unknown transitions: give 'manual', 'clock', 'immediate', or \{ polls: 3 \}, also written 'polls:3'/,
        );
      },
    );
  });

  it('by hand: the state changes only on request, at any time', async () => {
    await start('manual');
    const ids = [
      await service.record(),
      await service.record({ local_date_time: '2026-07-08T12:00:00Z' }),
      await service.record({ cron: '0 12 * * *' }),
    ];
    service.advance(30 * 86_400_000);
    expect(await Promise.all(ids.map(service.readStatus))).toEqual(['recording', 'queued', 'queued']);
  });
});

describe('a new meeting', () => {
  it('gives recordings the hand-written meetings in turn, with other meetings in between', async () => {
    const service = await startLivingSandbox();
    const listed = async (): Promise<readonly unknown[]> => {
      const { body } = await service.call('GET', '/_sandbox/meetings');
      return (body as { meetings: { script: string }[] }).meetings.map(({ script }) => script);
    };
    await service.record();
    const planned = await service.record({ local_date_time: '2026-07-08T09:00:00Z' });
    await service.call('DELETE', `/api/record-meeting?meeting_id=${planned}`);
    await service.record({ link: 'https://meet.example/b' });
    expect(await listed()).toEqual(['launch-review', 'launch-review']);
    service.sandbox.seed({ meetings: 1, languages: ['en'] });
    await service.record({ link: 'https://meet.example/c' });
    expect((await listed())[0]).toBe('warehouse-sync');
    service.sandbox.reset();
    await service.record();
    expect(await listed()).toEqual(['launch-review']);
  });

  it('holds the sample meeting that is named when it is completed, in the library only', async () => {
    const service = await startLivingSandbox();
    const meetingId = await service.record();
    service.sandbox.completeMeeting(meetingId, { scriptId: 'long/300' });
    const { body } = await service.readReport(meetingId);
    const { followup_v2: report } = body as {
      followup_v2: { name: string; chapters: { transcript: unknown[] }[] };
    };
    expect(report.name).toBe('Planning day');
    expect(report.chapters.flatMap(({ transcript }) => transcript)).toHaveLength(300);
    expect(() => service.sandbox.completeMeeting(meetingId, { scriptId: 'long/10001' })).toThrow(
      'There is no sample meeting long/10001',
    );
    const answer = await service.call('POST', `/_sandbox/meetings/${meetingId}/complete`, {
      script: 'long/1',
    });
    expect(answer.status).toBe(400);
  });
});
