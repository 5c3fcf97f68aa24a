import { beforeEach, describe, expect, it } from 'vitest';

import { type LivingSandbox, startLivingSandbox } from '../../testing/start-living-sandbox.ts';

const link = 'https://meet.example/plans';
/** As long as is spoken in the first sample meeting. */
const recordingMs = 140_000;
const processingMs = 20_000;

let house: LivingSandbox;

beforeEach(async () => {
  house = await startLivingSandbox({ transitions: 'clock' });
});

const record = (fields: object = {}): Promise<string> =>
  house.record({ webhook_url: house.receiverUrl, ...fields });

/** What was sent, without waiting for its arrival. */
const sent = (): readonly string[] => house.sandbox.deliveries().map(({ event }) => event);

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
      house.advance(byMs);
      expect(await house.readStatus(meetingId)).toBe(expected);
    }
    expect(await house.waitForEvents(1)).toEqual([
      {
        event: 'meeting.completed',
        meeting_id: meetingId,
        timestamp: '2026-07-07T12:02:40Z',
        data: {
          title: 'Launch review: shared calendars',
          is_transcript_empty: false,
          report_url: `${house.url}/api/video/report?meeting_id=${meetingId}`,
        },
      },
    ]);
  });

  it('is processed from when it is stopped', async () => {
    const meetingId = await record();
    house.advance(30_000);
    await house.call('POST', '/api/stop-recording', { meeting_id: meetingId });
    house.advance(processingMs - 1);
    expect(await house.readStatus(meetingId)).toBe('processing');
    house.advance(1);
    expect(await house.readStatus(meetingId)).toBe('new');
    house.advance(recordingMs);
    expect(sent()).toEqual(['meeting.completed']);
  });

  it.each([
    [
      'completed',
      (meetingId: string) => house.sandbox.completeMeeting(meetingId),
      'new',
      'meeting.completed',
    ],
    ['failed', (meetingId: string) => house.sandbox.failMeeting(meetingId), 'failed', 'meeting.failed'],
  ])('stays as it is once somebody has %s it', async (_how, end, expected, event) => {
    const meetingId = await record();
    end(meetingId);
    house.advance(86_400_000);
    expect(await house.readStatus(meetingId)).toBe(expected);
    expect(sent()).toEqual([event]);
  });

  it('is not there any more after a reset, and nothing is sent', async () => {
    const meetingId = await record();
    house.advance(recordingMs);
    house.sandbox.reset();
    house.advance(86_400_000);
    expect(await house.call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).toMatchObject({
      status: 404,
    });
    expect(sent()).toEqual([]);
  });
});

describe('a bot that is sent for later', () => {
  it('goes in at its time, in whatever zone that was said', async () => {
    const meetingId = await record({ local_date_time: '2026-07-09T10:00:00+03:00' });
    house.advance(43 * 3_600_000 - 1);
    expect(await house.readStatus(meetingId)).toBe('queued');
    house.advance(1);
    expect(await house.readStatus(meetingId)).toBe('recording');
    house.advance(recordingMs + processingMs);
    const [event] = await house.waitForEvents(1);
    expect(event?.timestamp).toBe('2026-07-09T07:02:40Z');
    const { body } = await house.call('GET', `/api/video/report?meeting_id=${meetingId}`);
    expect(body).toMatchObject({ followup_v2: { date: '2026-07-09T10:00:00+03:00' } });
  });

  it('never goes in when it was cancelled', async () => {
    const meetingId = await record({ local_date_time: '2026-07-09T10:00:00Z' });
    await house.call('DELETE', `/api/record-meeting?meeting_id=${meetingId}`);
    house.advance(30 * 86_400_000);
    expect(await house.call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).toMatchObject({
      status: 404,
    });
    expect(sent()).toEqual([]);
  });

  it('may be sent three months ahead of the sandbox’s own time', async () => {
    const start = (local_date_time: string) =>
      house.call('POST', '/api/record-meeting', { link, local_date_time });
    expect((await start('2026-12-24T12:00:00Z')).status).toBe(400);
    house.advance(90 * 86_400_000);
    expect((await start('2026-12-24T12:00:00Z')).status).toBe(200);
  });
});

it('plays several meetings in the order of time, in one move', async () => {
  const later = await record({ local_date_time: '2026-07-07T12:02:00Z', title: 'Later' });
  const now = await record({ title: 'Now' });
  house.advance(3_600_000);
  const ends = (await house.waitForEvents(2)).map(({ meeting_id: id, timestamp }) => [id, timestamp]);
  // The second sample meeting is the shorter one.
  expect(new Set(ends)).toEqual(
    new Set([
      [now, expect.stringMatching(/^2026-07-07T12:02:/)],
      [later, '2026-07-07T12:04:40Z'],
    ]),
  );
  expect(house.sandbox.deliveries().map(({ meetingId }) => meetingId)).toEqual([now, later]);
});

it('processes an uploaded file for 20 seconds', async () => {
  const form = new FormData();
  const fields = {
    id: '3f0e2c55-7a0b-4f0c-9c38-0c1d2e3f4a5b',
    upload_session_id: '9b2d7c11-5a6e-4c3d-8f2a-1b0c9d8e7f6a',
    chunk_total: '2',
    filename: 'call.mp3',
    expected_file_size: '5',
    webhook_url: house.receiverUrl,
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const send = async (number: string, bytes: string): Promise<Record<string, unknown>> => {
    form.set('chunk_number', number);
    form.set('file', new Blob([bytes]), 'call.mp3');
    const response = await fetch(`${house.url}/api/video`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'sandbox_key' },
      body: form,
    });
    return JSON.parse((await response.text()) || '{}') as Record<string, unknown>;
  };
  await send('0', 'hello');
  const meetingId = String((await send('1', ''))['meeting_id']);
  expect(await house.readStatus(meetingId)).toBe('processing');
  house.advance(processingMs - 1);
  expect(await house.readStatus(meetingId)).toBe('processing');
  house.advance(1);
  expect(await house.readStatus(meetingId)).toBe('new');
  expect(sent()).toEqual(['meeting.completed']);
});
