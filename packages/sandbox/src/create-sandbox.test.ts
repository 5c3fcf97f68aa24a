import { beforeEach, describe, expect, it } from 'vitest';

import { createSandbox } from './create-sandbox.ts';
import type { SandboxStep } from './sandbox-options.ts';
import { startTestSandbox, useTestSandbox } from './testing/sandbox.ts';

const link = 'https://meet.google.com/abc-defg-hij';

let steps: SandboxStep[];
const service = useTestSandbox({ observe: (step) => steps.push(step) });

beforeEach(() => {
  steps = [];
});

const start = (fields: object | string, headers?: Record<string, string>) =>
  service.call('POST', '/api/record-meeting', fields, headers);

describe('the API key', () => {
  it.each(['', 'sandbox_kez', 'sandbox_key2'])('refuses %j on every service route', async (key) => {
    const message =
      key === ''
        ? 'Send the API key in the header X-API-KEY.'
        : 'The API key is not valid: it is another one, or a new one has replaced it.';
    for (const path of ['/api/meeting/status?meeting_id=x', '/api/workspaces/active/tags', '/api/nothing']) {
      const answer = await service.call('GET', path, undefined, { 'X-API-KEY': key });
      expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED', message } });
    }
    const response = await fetch(`${service.url}/api/nothing`);
    expect(response.status).toBe(401);
  });

  it('is not empty', () => {
    expect(() => createSandbox({ apiKey: '' })).toThrow(RangeError);
  });
});

describe('starting a recording', () => {
  it('sends a bot at once and answers with the meeting', async () => {
    expect(await start({ link, title: 'Plans', source: 'zoom' })).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      body: {
        meeting_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        status: 'recording',
        title: 'Plans',
        source: 'zoom',
        local_date_time: '2026-07-07T12:00:00.000Z',
      },
    });
    expect(steps.map(({ kind }) => kind)).toEqual(['meeting_recorded']);
  });

  it.each([
    ['of a link alone', {}, { source: 'gmeet', title: 'Launch review: shared calendars' }],
    [
      'of a later time',
      { local_date_time: '2026-07-09T10:00:00+03:00' },
      { status: 'queued', local_date_time: '2026-07-09T10:00:00+03:00' },
    ],
    ['of a time three months ahead, to the millisecond', { local_date_time: '2026-10-07T12:00:00Z' }, {}],
    [
      'with participants, as the comma-separated text of the wire',
      { participants: 'a@example.com, b@example.com' },
      {},
    ],
  ])('takes one %s', async (_name, fields, body) => {
    expect(await start({ link, ...fields })).toMatchObject({ status: 200, body });
  });

  it.each([
    [{}, 'link'],
    [{ link: 'meet.google.com/abc' }, 'link'],
    [{ link, local_date_time: '2026-07-09 10:00' }, 'local_date_time'],
    [{ link, local_date_time: '2026-10-07T12:00:00.001Z' }, 'local_date_time'],
    [{ link, cron: 'every day' }, 'cron'],
    [{ link, participants: 'a@example.com,nobody' }, 'participants.1'],
    [{ link, webhook_secret: 'short' }, 'webhook_secret'],
    [{ link, webhook_url: 'ftp://example.com' }, 'webhook_url'],
    [{ link, colour: 'red' }, 'colour'],
  ])('refuses %j and names the field', async (body, field) => {
    expect(await start(body)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', field } });
  });

  it.each([
    ['broken JSON', '{"link":', {}],
    ['a form', 'link=x', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a list', '[]', {}],
  ])('refuses %s', async (_name, body, headers: Record<string, string>) => {
    expect(await start(body, headers)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  });

  it('refuses the same link at the same instant with 409, and takes it at another', async () => {
    const at = (local_date_time: string) => start({ link, local_date_time });
    expect((await at('2026-07-09T10:00:00+03:00')).status).toBe(200);
    expect(await at('2026-07-09T07:00:00Z')).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SCHEDULED' },
    });
    expect((await at('2026-07-09T08:00:00Z')).status).toBe(200);
  });

  it('refuses a second bot while one is in the meeting', async () => {
    const meetingId = await service.record({ link });
    expect((await start({ link })).status).toBe(409);
    service.sandbox.completeMeeting(meetingId);
    expect((await start({ link })).status).toBe(200);
  });
});

describe('status, stop and cancel', () => {
  const cancel = (meetingId: string) => service.call('DELETE', `/api/record-meeting?meeting_id=${meetingId}`);

  it('answers the status as plain text', async () => {
    const meetingId = await service.record();
    expect(await service.call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
      body: 'recording',
    });
    const stopped = await service.call('POST', '/api/stop-recording', { meeting_id: meetingId });
    expect(stopped).toMatchObject({ status: 200, body: 'OK' });
    expect(await service.readStatus(meetingId)).toBe('processing');
    expect(await service.readReport(meetingId)).toEqual({
      status: 202,
      type: 'text/plain; charset=utf-8',
      body: 'Meeting is in progress now, status: processing',
    });
  });

  it('cancels a scheduled recording only', async () => {
    const scheduled = await service.record({ local_date_time: '2026-08-01T10:00:00Z' });
    expect((await cancel(await service.record())).status).toBe(400);
    expect(await cancel(scheduled)).toMatchObject({ status: 200, body: 'OK' });
    expect(await service.readStatus(scheduled)).toMatchObject({ code: 'MEETING_NOT_FOUND' });
  });

  it.each([
    ['GET', '/api/meeting/status?meeting_id=unknown', undefined],
    ['GET', '/api/video/report?meeting_id=unknown', undefined],
    ['DELETE', '/api/record-meeting?meeting_id=unknown', undefined],
    ['POST', '/api/stop-recording', { meeting_id: 'unknown' }],
  ])('answers 404 to %s %s', async (method, path, body) => {
    const answer = await service.call(method, path, body);
    expect(answer).toMatchObject({ status: 404, body: { code: 'MEETING_NOT_FOUND' } });
  });

  it('refuses a query with a field twice or one field too many', async () => {
    const ask = (query: string) => service.call('GET', `/api/meeting/status?meeting_id=a&${query}`);
    expect((await ask('meeting_id=b')).status).toBe(400);
    expect(await ask('more=1')).toMatchObject({ status: 400, body: { field: 'more' } });
  });
});

describe('the report', () => {
  it('turns new into processed when it is read', async () => {
    const meetingId = await service.holdMeeting();
    expect(await service.readStatus(meetingId)).toBe('new');
    expect((await service.readReport(meetingId)).status).toBe(200);
    expect(await service.readStatus(meetingId)).toBe('processed');
    expect(steps.map(({ kind }) => kind)).toEqual(['meeting_recorded', 'meeting_completed', 'report_served']);
  });

  it('has the observed shape and times that fit together', async () => {
    const meetingId = await service.holdMeeting();
    expect((await service.readReport(meetingId)).body).toMatchObject({
      feedback: null,
      media_type: 'video',
      tags: [],
      followup_v2: {
        id: meetingId,
        name: 'Launch review: shared calendars',
        date: '2026-07-07T12:00:00.000Z',
        duration: 140,
        source: 'gmeet',
        status: 'processed',
        is_transcript_empty: false,
        speakers: [
          { id: 'speaker_1', speaker: 'Maya Lindqvist' },
          { id: 'speaker_2', speaker: 'Tom Okafor' },
          { id: 'speaker_3', speaker: 'Priya Raman' },
        ],
        chapters: [
          {
            name: 'Where the beta stands',
            startSeconds: 4,
            transcript: [
              { speaker: { speaker: 'Maya Lindqvist' }, timestamp: '00:04', startSeconds: 4 },
              {},
              {},
              {},
              {},
            ],
          },
          { name: 'Migration and the slow first load' },
          { name: 'Rollout and texts' },
        ],
        templates: [
          {
            name: 'default-meeting',
            entities: [
              { name: 'summary' },
              { name: 'decisions' },
              {
                name: 'tasks',
                text: {
                  actions: [
                    { assignee: 'Priya Raman', deadline: '2026-07-13' },
                    { assignee: 'Tom Okafor', deadline: '2026-07-10' },
                    {},
                    { deadline: null },
                  ],
                },
              },
            ],
          },
        ],
      },
    });
  });

  it('is empty for an empty transcript', async () => {
    const meetingId = await service.record();
    service.sandbox.completeMeeting(meetingId, { isTranscriptEmpty: true });
    expect((await service.readReport(meetingId)).body).toMatchObject({
      followup_v2: { is_transcript_empty: true, duration: 0, chapters: [], speakers: [], templates: [] },
    });
  });
});

it('refuses a path that is not percent-encoded', async () => {
  expect(await service.call('PUT', '/api/workspaces/active/meetings/%zz/tags/1')).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REQUEST', message: 'The path must be percent-encoded UTF-8.' },
  });
});

it('gives the same ids for the same seed', async () => {
  const [one, other] = [await startTestSandbox(), await startTestSandbox()];
  expect(await one.record()).toBe(await other.record());
  await Promise.all([one.sandbox.close(), other.sandbox.close()]);
});
