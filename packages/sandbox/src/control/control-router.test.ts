import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  type LivingSandbox,
  startDeliveringSandbox,
  startLivingSandbox,
  startTestSandbox,
  type TestSandbox,
} from '../testing/sandbox.ts';

describe('access', () => {
  it('has no other routes than its own', async () => {
    const { post } = await startDeliveringSandbox();
    expect(await post('/_sandbox/unknown')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('says what is wrong with a request that cannot be read', async () => {
    const { url } = await startDeliveringSandbox();
    const send = async (path: string, body: string, type = 'application/json'): Promise<unknown> => {
      const headers = { 'Content-Type': type };
      const response = await fetch(`${url}/_sandbox${path}`, { method: 'POST', headers, body });
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    expect(await send('/seed', '{')).toEqual([400, 'The body must be JSON in UTF-8.']);
    expect(await send('/seed', JSON.stringify('x'.repeat(9_000_000)))).toEqual([
      400,
      'The body must have at most 8 MiB.',
    ]);
    const advice = 'The body was not read: send JSON with Content-Type: application/json.';
    expect(await send('/faults', '{"kind":"reset"}', 'text/plain')).toEqual([400, advice]);
    expect(await send('/reset', '{', 'application/octet-stream')).toEqual([400, advice]);
    expect(await send('/faults', '{"kind":"reset"}', 'application/x-www-form-urlencoded')).toEqual([
      400,
      advice,
    ]);
    expect(await send('/reset', '', 'text/plain')).toEqual([200, undefined]);
    expect(await send('/meetings/%zz/complete', '{}')).toEqual([
      400,
      'The path must be percent-encoded UTF-8.',
    ]);
  });
});

describe('meetings', () => {
  let service: LivingSandbox;

  beforeEach(async () => {
    service = await startLivingSandbox({ transitions: 'clock' });
  });

  const control = (meetingId: string, what: string, body?: object) =>
    service.call('POST', `/_sandbox/meetings/${meetingId}/${what}`, body);

  it('lists the meetings, the newest first, and when each moves on', async () => {
    const running = await service.record({
      title: 'Plans',
      source: 'zoom',
      webhook_secret: 'a-secret-of-enough-length',
    });
    const series = await service.record({ cron: '0 9 * * 1', title: 'Standup' });
    await control(running, 'fail');
    const other = await service.record({ local_date_time: '2026-07-08T12:00:00+03:00' });
    expect((await service.call('GET', '/_sandbox/meetings')).body).toEqual({
      meetings: [
        {
          meeting_id: other,
          title: 'Launch review: shared calendars',
          status: 'queued',
          source: 'gmeet',
          local_date_time: '2026-07-08T12:00:00+03:00',
          script: 'launch-review',
          next_change_at: '2026-07-08T09:00:00.000Z',
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
          meeting_id: running,
          title: 'Plans',
          status: 'failed',
          source: 'zoom',
          local_date_time: '2026-07-07T12:00:00.000Z',
          script: 'launch-review',
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
    ])('for the reason %j is in the event', async (reason, sent) => {
      const meetingId = await service.record({ webhook_url: service.receiverUrl });
      await control(meetingId, 'fail', reason === undefined ? undefined : { reason });
      expect(await service.waitForEvents(1)).toMatchObject([
        { event: 'meeting.failed', data: { reason: sent, is_transcript_empty: true } },
      ]);
    });

    it.each([{ reason: '' }, { reason: 'x'.repeat(2001) }, { reason: 7 }, { why: 'x' }])(
      'is refused with %j',
      async (body) => {
        expect(await control(await service.record(), 'fail', body)).toMatchObject({
          status: 400,
          body: { code: 'INVALID_REQUEST' },
        });
      },
    );
  });

  describe('completing', () => {
    it('in another language changes what is said, and the title that came with it', async () => {
      const meetingId = await service.record();
      expect(await control(meetingId, 'complete', { language: 'de-AT' })).toMatchObject({ status: 200 });
      const { body } = await service.call('GET', '/_sandbox/meetings');
      const [meeting] = (body as { meetings: { script: string; title: string }[] }).meetings;
      expect(meeting?.script).toMatch(/^de\//);
      expect(meeting?.title).not.toBe('Launch review: shared calendars');
    });

    it.each([{ language: 'tlh' }, { language: 7 }, { is_transcript_empty: 'perhaps' }, { reason: 'x' }])(
      'is refused with %j',
      async (body) => {
        expect(await control(await service.record(), 'complete', body)).toMatchObject({
          status: 400,
          body: { code: 'INVALID_REQUEST' },
        });
      },
    );
  });

  describe('announcing', () => {
    it('sends an event of any kind and leaves the meeting as it is', async () => {
      const meetingId = await service.record({ webhook_url: service.receiverUrl });
      const answer = await control(meetingId, 'announce', {
        event: 'meeting.rescheduled',
        data: { by: { name: 'Maya' } },
      });
      expect(answer).toMatchObject({
        status: 200,
        body: { meeting_id: meetingId, status: 'recording', delivery_id: expect.any(String) as string },
      });
      expect(await service.waitForEvents(1)).toEqual([
        {
          event: 'meeting.rescheduled',
          meeting_id: meetingId,
          timestamp: '2026-07-07T12:00:00Z',
          data: { by: { name: 'Maya' } },
        },
      ]);
    });

    it.each([
      {},
      { event: '' },
      { event: 'a\r\nX-Evil: 1' },
      { event: 'é' },
      { event: 'a', data: [] },
      { event: 'a', more: 1 },
    ])('is refused with %j', async (body) => {
      expect(await control(await service.record(), 'announce', body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST' },
      });
    });
  });

  it('answers 404 for a meeting that is not there', async () => {
    for (const what of ['complete', 'fail', 'announce']) {
      const answer = await control('unknown', what, what === 'announce' ? { event: 'x' } : undefined);
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });
});

describe('recording', () => {
  let service: TestSandbox;

  beforeAll(async () => {
    service = await startTestSandbox();
  });

  afterAll(() => service.sandbox.close());

  beforeEach(() => {
    service.sandbox.reset();
  });

  const record = (body?: object) => service.call('POST', '/_sandbox/recordings', body);
  const listMeetings = async () =>
    (await service.call('GET', '/_sandbox/meetings')).body as { meetings: object[] };

  it('makes up a link each time, and leaves out what is empty', async () => {
    expect((await record()).status).toBe(200);
    expect((await record({ link: '', title: '', webhook_url: '', webhook_secret: '' })).status).toBe(200);
    expect(await listMeetings()).toMatchObject({
      meetings: [{ status: 'recording', source: 'gmeet' }, { title: 'Launch review: shared calendars' }],
    });
  });

  describe('is refused', () => {
    it.each([
      [{ webhook_secret: 'short' }, 'webhook_secret must be'],
      [{ more: 1 }, 'more is not a field of recordings.start.'],
      [[], 'The body'],
    ])('%j', async (body, message) => {
      expect(await record(body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST', message: expect.stringContaining(message) as string },
      });
      expect(await listMeetings()).toEqual({ meetings: [] });
    });

    it('where the link is being recorded already', async () => {
      await record({ link: 'https://zoom.us/j/1' });
      expect(await record({ link: 'https://zoom.us/j/1' })).toMatchObject({
        status: 409,
        body: { code: 'ALREADY_SCHEDULED' },
      });
    });
  });
});

describe('the page', () => {
  const readPage = (name: string): string =>
    readFileSync(new URL(`../../page/${name}`, import.meta.url), 'utf8');

  it('is a static page that only a script of its own can change', async () => {
    const { url, record } = await startDeliveringSandbox();
    await record(undefined, { title: '<script>alert(1)</script>' });
    const response = await fetch(`${url}/_sandbox`);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self';",
    );
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(await response.text()).toBe(readPage('index.html'));
    const script = await fetch(`${url}/_sandbox/page.js`);
    expect(script.headers.get('content-type')).toMatch(/javascript/);
    expect(await script.text()).toBe(readPage('page.js'));
  });

  it('shows everything as text', () => {
    expect(readPage('page.js')).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|eval|setAttribute/,
    );
    expect(readPage('index.html')).not.toMatch(
      /<script(?! src="\/_sandbox\/page\.js" defer><\/script>)| on\w+=/,
    );
  });

  it('knows the sandbox by its JSON', async () => {
    const links = [{ label: 'Slack', url: 'http://127.0.0.1:4011' }];
    const { url } = await startDeliveringSandbox({ links });
    const about = (await (await fetch(`${url}/_sandbox/about`)).json()) as {
      call_targets: string[];
      actions: object[];
      forms: object[];
    };
    expect(about).toMatchObject({ base_url: url, links });
    const ended = { label: 'Complete', of: 'meeting', states: ['queued', 'recording', 'processing'] };
    expect(about.actions).toContainEqual({ route: 'POST /meetings/:id/complete', ...ended });
    expect(about.forms).toEqual([
      { id: 'record', route: 'POST /recordings', fields: expect.any(Array) as unknown },
    ]);
    expect(about.call_targets).toEqual(expect.arrayContaining(['recordings.start', 'mcp']));
  });
});
