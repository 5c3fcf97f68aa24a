import { readFileSync } from 'node:fs';

import { beforeEach, describe, expect, it } from 'vitest';

import {
  type LivingSandbox,
  startDeliveringSandbox,
  startLivingSandbox,
  useTestSandbox,
} from '../testing/sandbox.ts';

describe('access', () => {
  const service = useTestSandbox();

  it('has no other routes than its own', async () => {
    const answer = await service.call('POST', '/_sandbox/unknown');
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  const advice = 'The body was not read: send JSON with Content-Type: application/json.';

  it.each([
    ['/seed', '{', 'application/json', 'The body must be JSON in UTF-8.'],
    ['/seed', JSON.stringify('x'.repeat(9_000_000)), 'application/json', 'The body must have at most 8 MiB.'],
    ['/meetings/%zz/complete', '{}', 'application/json', 'The path must be percent-encoded UTF-8.'],
    ['/faults', '{"kind":"reset"}', 'text/plain', advice],
    ['/reset', '{', 'application/octet-stream', advice],
    ['/faults', '{"kind":"reset"}', 'application/x-www-form-urlencoded', advice],
  ])(
    'says what is wrong with a request that cannot be read: %s %.20s %s',
    async (path, body, type, message) => {
      const answer = await service.call('POST', `/_sandbox${path}`, body, { 'Content-Type': type });
      expect(answer).toMatchObject({ status: 400, body: { message } });
    },
  );

  it('takes no body of any type', async () => {
    const answer = await service.call('POST', '/_sandbox/reset', '', { 'Content-Type': 'text/plain' });
    expect(answer.status).toBe(200);
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
    const running = await service.record({ title: 'Plans', source: 'zoom' });
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

  it.each([
    [undefined, 'The bot was not admitted to the meeting.'],
    ['bot_not_admitted', 'The bot was not admitted to the meeting.'],
    ['meeting_never_started', 'The meeting never started: the bot left the waiting room.'],
    ['no_audio', 'Nothing was heard in the meeting.'],
    ['no_audio_track', 'The file has no audio track.'],
    ['toString', 'toString'],
    ['Der Termin\nfiel aus.', 'Der Termin\nfiel aus.'],
  ])('fails for the reason %j, which is in the event', async (reason, sent) => {
    const meetingId = await service.record({ webhook_url: service.receiverUrl });
    await control(meetingId, 'fail', reason === undefined ? undefined : { reason });
    expect(await service.waitForEvents(1)).toMatchObject([
      { event: 'meeting.failed', data: { reason: sent, is_transcript_empty: true } },
    ]);
  });

  it('completes in another language: that changes what is said, and the title that came with it', async () => {
    const meetingId = await service.record();
    expect(await control(meetingId, 'complete', { language: 'de-AT' })).toMatchObject({ status: 200 });
    const { body } = await service.call('GET', '/_sandbox/meetings');
    expect(body).toMatchObject({
      meetings: [
        {
          script: expect.stringMatching(/^de\//) as string,
          title: expect.not.stringContaining('Launch review') as string,
        },
      ],
    });
  });

  it('announces an event of any kind and leaves the meeting as it is', async () => {
    const meetingId = await service.record({ webhook_url: service.receiverUrl });
    const order = { event: 'meeting.rescheduled', data: { by: { name: 'Maya' } } };
    expect(await control(meetingId, 'announce', order)).toMatchObject({
      status: 200,
      body: { meeting_id: meetingId, status: 'recording', delivery_id: expect.any(String) as string },
    });
    expect(await service.waitForEvents(1)).toEqual([
      { ...order, meeting_id: meetingId, timestamp: '2026-07-07T12:00:00Z' },
    ]);
  });

  it.each<[what: string, bodies: readonly object[]]>([
    ['fail', [{ reason: '' }, { reason: 'x'.repeat(2001) }, { reason: 7 }, { why: 'x' }]],
    ['complete', [{ language: 'tlh' }, { language: 7 }, { is_transcript_empty: 'perhaps' }, { reason: 'x' }]],
    [
      'announce',
      [
        {},
        { event: '' },
        { event: 'a\r\nX-Evil: 1' },
        { event: 'é' },
        { event: 'a', data: [] },
        { event: 'a', more: 1 },
      ],
    ],
  ])('does not %s by a wrong body', async (what, bodies) => {
    const meetingId = await service.record();
    for (const body of bodies) {
      const { status } = await control(meetingId, what, body);
      expect([body, status]).toEqual([body, 400]);
    }
    expect(await service.readStatus(meetingId)).toBe('recording');
  });

  it('answers 404 for a meeting that is not there', async () => {
    for (const what of ['complete', 'fail', 'announce']) {
      const answer = await control('unknown', what, what === 'announce' ? { event: 'x' } : undefined);
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });
});

describe('recording', () => {
  const service = useTestSandbox();

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
