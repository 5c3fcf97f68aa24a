import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createSandbox, type Sandbox } from './create-sandbox.ts';
import type { SandboxStep } from './sandbox-options.ts';

const nowMs = Date.parse('2026-07-07T12:00:00Z');
const link = 'https://meet.google.com/abc-defg-hij';

let sandbox: Sandbox;
let url: string;
let steps: SandboxStep[];

beforeEach(async () => {
  steps = [];
  sandbox = createSandbox({ clock: () => nowMs, seed: 7, observe: (step) => steps.push(step) });
  ({ url } = await sandbox.listen());
});

afterEach(() => sandbox.close());

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : text,
  };
}

async function record(fields: object = {}): Promise<string> {
  const { body } = await call('POST', '/api/record-meeting', { link, ...fields });
  return typeof body === 'object' ? String(body['meeting_id']) : '';
}

describe('the API key', () => {
  it.each([undefined, '', 'sandbox_kez', 'sandbox_key2'])(
    'refuses %j on every service route',
    async (key) => {
      for (const path of [
        '/api/meeting/status?meeting_id=x',
        '/api/workspaces/active/tags',
        '/api/nothing',
      ]) {
        const response = await fetch(url + path, key === undefined ? {} : { headers: { 'X-API-KEY': key } });
        expect(response.status).toBe(401);
        expect(await response.json()).toEqual({
          code: 'UNAUTHORIZED',
          message:
            key === undefined || key === ''
              ? 'Send the API key in the header X-API-KEY.'
              : 'The API key is not valid: it is another one, or a new one has replaced it.',
        });
      }
    },
  );
});

it('does not start with an empty API key', () => {
  expect(() => createSandbox({ apiKey: '' })).toThrow(RangeError);
});

describe('starting a recording', () => {
  it('sends a bot at once and answers with the meeting', async () => {
    expect(await call('POST', '/api/record-meeting', { link, title: 'Plans', source: 'zoom' })).toEqual({
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

  it('guesses the platform and takes a sample meeting for the title when none is given', async () => {
    const { body } = await call('POST', '/api/record-meeting', { link });
    expect(body).toMatchObject({ source: 'gmeet', title: 'Launch review: shared calendars' });
  });

  it('queues a recording of a later time', async () => {
    const time = '2026-07-09T10:00:00+03:00';
    const { body } = await call('POST', '/api/record-meeting', { link, local_date_time: time });
    expect(body).toMatchObject({ status: 'queued', local_date_time: time });
  });

  it('takes a start three months ahead to the millisecond', async () => {
    const time = '2026-10-07T12:00:00Z';
    expect((await call('POST', '/api/record-meeting', { link, local_date_time: time })).status).toBe(200);
  });

  it('reads the participants from the comma-separated text of the wire', async () => {
    expect(
      (await call('POST', '/api/record-meeting', { link, participants: 'a@example.com, b@example.com' }))
        .status,
    ).toBe(200);
    const { status, body } = await call('POST', '/api/record-meeting', {
      link: `${link}x`,
      participants: 'a@example.com,nobody',
    });
    expect([status, body]).toEqual([
      400,
      {
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('e-mail') as string,
        field: 'participants.1',
      },
    ]);
  });

  it.each([
    [{}, 'link'],
    [{ link: 'meet.google.com/abc' }, 'link'],
    [{ link, local_date_time: '2026-07-09 10:00' }, 'local_date_time'],
    [{ link, local_date_time: '2026-10-07T12:00:00.001Z' }, 'local_date_time'],
    [{ link, cron: 'every day' }, 'cron'],
    [{ link, webhook_secret: 'short' }, 'webhook_secret'],
    [{ link, webhook_url: 'ftp://example.com' }, 'webhook_url'],
    [{ link, colour: 'red' }, 'colour'],
  ])('refuses %j and names the field', async (body, field) => {
    const answer = await call('POST', '/api/record-meeting', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', field } });
  });

  it.each([
    ['broken JSON', '{"link":', {}],
    ['a form', 'link=x', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a list', '[]', {}],
  ])('refuses %s', async (_name, body, headers) => {
    const answer = await call('POST', '/api/record-meeting', body, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  });

  it('refuses the same link at the same instant with 409, and takes it at another', async () => {
    const at = (local_date_time: string) => call('POST', '/api/record-meeting', { link, local_date_time });
    expect((await at('2026-07-09T10:00:00+03:00')).status).toBe(200);
    expect(await at('2026-07-09T07:00:00Z')).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SCHEDULED' },
    });
    expect((await at('2026-07-09T08:00:00Z')).status).toBe(200);
  });

  it('refuses a second bot while one is in the meeting', async () => {
    const meetingId = await record();
    expect((await call('POST', '/api/record-meeting', { link })).status).toBe(409);
    sandbox.completeMeeting(meetingId);
    expect((await call('POST', '/api/record-meeting', { link })).status).toBe(200);
  });
});

describe('status, stop and cancel', () => {
  it('answers the status as plain text', async () => {
    const meetingId = await record();
    expect(await call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
      body: 'recording',
    });
    expect(await call('POST', '/api/stop-recording', { meeting_id: meetingId })).toMatchObject({
      status: 200,
      body: 'OK',
    });
    expect((await call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).body).toBe('processing');
  });

  it('cancels a scheduled recording only', async () => {
    const running = await record();
    const scheduled = await record({ local_date_time: '2026-08-01T10:00:00Z' });
    expect((await call('DELETE', `/api/record-meeting?meeting_id=${running}`)).status).toBe(400);
    expect(await call('DELETE', `/api/record-meeting?meeting_id=${scheduled}`)).toMatchObject({
      status: 200,
      body: 'OK',
    });
    expect((await call('GET', `/api/meeting/status?meeting_id=${scheduled}`)).status).toBe(404);
  });

  it.each([
    ['GET', '/api/meeting/status?meeting_id=unknown', undefined],
    ['GET', '/api/video/report?meeting_id=unknown', undefined],
    ['DELETE', '/api/record-meeting?meeting_id=unknown', undefined],
    ['POST', '/api/stop-recording', { meeting_id: 'unknown' }],
  ])('answers 404 to %s %s', async (method, path, body) => {
    expect(await call(method, path, body)).toMatchObject({
      status: 404,
      body: { code: 'MEETING_NOT_FOUND' },
    });
  });

  it('refuses a query with a field twice or one field too many', async () => {
    expect((await call('GET', '/api/meeting/status?meeting_id=a&meeting_id=b')).status).toBe(400);
    expect(await call('GET', '/api/meeting/status?meeting_id=a&more=1')).toMatchObject({
      status: 400,
      body: { field: 'more' },
    });
  });
});

describe('the report', () => {
  it('is 202 and plain text until the meeting is complete', async () => {
    const meetingId = await record();
    await call('POST', '/api/stop-recording', { meeting_id: meetingId });
    expect(await call('GET', `/api/video/report?meeting_id=${meetingId}`)).toEqual({
      status: 202,
      type: 'text/plain; charset=utf-8',
      body: 'Meeting is in progress now, status: processing',
    });
  });

  it('turns new into processed when it is read', async () => {
    const meetingId = await record();
    sandbox.completeMeeting(meetingId);
    expect((await call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).body).toBe('new');
    expect((await call('GET', `/api/video/report?meeting_id=${meetingId}`)).status).toBe(200);
    expect((await call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).body).toBe('processed');
    expect(steps.map(({ kind }) => kind)).toEqual(['meeting_recorded', 'meeting_completed', 'report_served']);
  });

  it('has the observed shape and times that fit together', async () => {
    const meetingId = await record();
    sandbox.completeMeeting(meetingId);
    const { body } = await call('GET', `/api/video/report?meeting_id=${meetingId}`);
    expect(body).toMatchObject({
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
    const meetingId = await record();
    sandbox.completeMeeting(meetingId, { isTranscriptEmpty: true });
    const { body } = await call('GET', `/api/video/report?meeting_id=${meetingId}`);
    expect(body).toMatchObject({
      followup_v2: { is_transcript_empty: true, duration: 0, chapters: [], speakers: [], templates: [] },
    });
  });
});

describe('the rest of the contract', () => {
  it('refuses a path that is not percent-encoded', async () => {
    expect(await call('PUT', '/api/workspaces/active/meetings/%zz/tags/1')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: 'The path must be percent-encoded UTF-8.' },
    });
  });

  it('gives the same ids for the same seed', async () => {
    const twin = createSandbox({ clock: () => nowMs, seed: 7 });
    const { url: twinUrl } = await twin.listen();
    const here = await record();
    url = twinUrl;
    expect(await record()).toBe(here);
    await twin.close();
  });
});
