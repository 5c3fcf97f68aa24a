import { beforeEach, describe, expect, it } from 'vitest';

import { type LivingSandbox, startLivingSandbox } from '../../testing/start-living-sandbox.ts';

let house: LivingSandbox;

beforeEach(async () => {
  house = await startLivingSandbox({ transitions: 'clock' });
});

const steer = (meetingId: string, what: string, body?: object) =>
  house.call('POST', `/_sandbox/meetings/${meetingId}/${what}`, body);

it('lists the meetings, the newest last, and when each moves on', async () => {
  const running = await house.record({
    title: 'Plans',
    source: 'zoom',
    webhook_secret: 'a-secret-of-enough-length',
  });
  const series = await house.record({ cron: '0 9 * * 1', title: 'Standup' });
  await steer(running, 'fail');
  const other = await house.record({ local_date_time: '2026-07-08T12:00:00+03:00' });
  expect((await house.call('GET', '/_sandbox/meetings')).body).toEqual({
    meetings: [
      {
        meeting_id: running,
        title: 'Plans',
        status: 'failed',
        source: 'zoom',
        local_date_time: '2026-07-07T12:00:00.000Z',
        script: 'launch-review',
      },
      {
        meeting_id: series,
        title: 'Standup',
        status: 'queued',
        source: 'gmeet',
        local_date_time: '2026-07-13T09:00:00.000Z',
        cron: '0 9 * * 1',
        script: 'warehouse-sync',
        next_change_at: '2026-07-13T09:00:00.000Z',
      },
      {
        meeting_id: other,
        title: 'Launch review: shared calendars',
        status: 'queued',
        source: 'gmeet',
        local_date_time: '2026-07-08T12:00:00+03:00',
        script: 'launch-review',
        next_change_at: '2026-07-08T09:00:00.000Z',
      },
    ],
  });
});

describe('failing', () => {
  it.each([
    [undefined, 'The bot was not admitted to the meeting.'],
    ['bot_not_admitted', 'The bot was not admitted to the meeting.'],
    ['meeting_never_started', 'The meeting never started: the bot left the waiting room.'],
    ['no_audio', 'Nothing was heard in the meeting.'],
    ['no_audio_track', 'The file has no audio track.'],
    ['toString', 'toString'],
    ['Der Termin\nfiel aus.', 'Der Termin\nfiel aus.'],
  ])('for the reason %j tells the receiver', async (reason, told) => {
    const meetingId = await house.record({ webhook_url: house.receiverUrl });
    await steer(meetingId, 'fail', reason === undefined ? undefined : { reason });
    expect(await house.waitForEvents(1)).toMatchObject([
      { event: 'meeting.failed', data: { reason: told, is_transcript_empty: true } },
    ]);
  });

  it.each([{ reason: '' }, { reason: 'x'.repeat(2001) }, { reason: 7 }, { why: 'x' }])(
    'is refused with %j',
    async (body) => {
      expect(await steer(await house.record(), 'fail', body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST' },
      });
    },
  );
});

describe('completing', () => {
  it('in another language changes what is said, and the title that came with it', async () => {
    const meetingId = await house.record();
    expect(await steer(meetingId, 'complete', { language: 'de-AT' })).toMatchObject({ status: 200 });
    const { body } = await house.call('GET', '/_sandbox/meetings');
    const [meeting] = (body as { meetings: { script: string; title: string }[] }).meetings;
    expect(meeting?.script).toMatch(/^de\//);
    expect(meeting?.title).not.toBe('Launch review: shared calendars');
  });

  it('in another language leaves the title that was given', async () => {
    const meetingId = await house.record({ title: 'Plans' });
    await steer(meetingId, 'complete', { language: 'fr' });
    expect((await house.call('GET', '/_sandbox/meetings')).body).toMatchObject({
      meetings: [{ title: 'Plans', script: expect.stringMatching(/^fr\//) as string }],
    });
  });

  it.each([{ language: 'tlh' }, { language: 7 }, { is_transcript_empty: 'perhaps' }, { reason: 'x' }])(
    'is refused with %j',
    async (body) => {
      expect(await steer(await house.record(), 'complete', body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST' },
      });
    },
  );
});

describe('announcing', () => {
  it('sends an event of any kind and leaves the meeting as it is', async () => {
    const meetingId = await house.record({ webhook_url: house.receiverUrl });
    const answer = await steer(meetingId, 'announce', {
      event: 'meeting.rescheduled',
      data: { by: { name: 'Maya' } },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { meeting_id: meetingId, status: 'recording', delivery_id: expect.any(String) as string },
    });
    expect(await house.waitForEvents(1)).toEqual([
      {
        event: 'meeting.rescheduled',
        meeting_id: meetingId,
        timestamp: '2026-07-07T12:00:00Z',
        data: { by: { name: 'Maya' } },
      },
    ]);
  });

  it('tells of the meeting when it is given nothing to tell', async () => {
    const meetingId = await house.record({ webhook_url: house.receiverUrl, title: 'Plans' });
    await steer(meetingId, 'announce', { event: 'meeting.started' });
    expect(await house.waitForEvents(1)).toMatchObject([
      { data: { title: 'Plans', is_transcript_empty: false } },
    ]);
  });

  it('sends nothing where there is no receiver', async () => {
    const meetingId = await house.record();
    expect((await steer(meetingId, 'announce', { event: 'meeting.started' })).body).toEqual({
      meeting_id: meetingId,
      status: 'recording',
    });
  });

  it.each([
    {},
    { event: '' },
    { event: 'a\r\nX-Evil: 1' },
    { event: 'é' },
    { event: 'a', data: [] },
    { event: 'a', more: 1 },
  ])('is refused with %j', async (body) => {
    expect(await steer(await house.record(), 'announce', body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST' },
    });
  });
});

it('answers 404 for a meeting that is not there', async () => {
  for (const what of ['complete', 'fail', 'announce']) {
    const answer = await steer('unknown', what, what === 'announce' ? { event: 'x' } : undefined);
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
});
