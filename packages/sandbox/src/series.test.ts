import { beforeEach, describe, expect, it } from 'vitest';

import { type LivingSandbox, startLivingSandbox } from './testing/sandbox.ts';

const link = 'https://meet.example/standup';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Longer than any sample meeting is recorded and processed. */
const meetingMs = 600_000;

let service: LivingSandbox;

beforeEach(async () => {
  // Tuesday, noon.
  service = await startLivingSandbox({ transitions: 'clock' });
});

const record = (cron: string, fields: object = {}): Promise<string> =>
  service.record({ link, cron, webhook_url: service.receiverUrl, ...fields });

const status = (meetingId: string): Promise<unknown> => service.readStatus(meetingId);

interface Report {
  readonly date: string;
  readonly keywords: readonly string[];
  readonly templates: readonly {
    readonly id: string;
    readonly name: string;
    readonly entities: readonly object[];
  }[];
}

async function readReport(meetingId: string): Promise<Report> {
  const { body } = await service.readReport(meetingId);
  return (body as { followup_v2: Report }).followup_v2;
}

const advance = (byMs: number): void => service.advance(byMs);
const cancel = (meetingId: string) => service.call('DELETE', `/api/record-meeting?meeting_id=${meetingId}`);
const events = (): readonly string[] =>
  service.sandbox
    .deliveries()
    .toReversed()
    .map(({ event }) => event);

it('comes every week of a year under one id, each time with an event of its own time', async () => {
  const meetingId = await record('0 9 * * 1');
  advance(365 * dayMs);
  const received = await service.waitForEvents(52);
  const times = received.map(({ timestamp }) => timestamp).toSorted();
  expect(new Set(received.map(({ meeting_id: id }) => id))).toEqual(new Set([meetingId]));
  expect(times).toHaveLength(52);
  const [first, second] = times;
  expect([first, second, times.at(-1)]).toEqual([
    '2026-07-13T09:02:40Z',
    expect.stringMatching(/^2026-07-20T09:0/),
    expect.stringMatching(/^2027-07-05T09:0/),
  ]);
  const lengths = times.map((time) => Date.parse(time) % dayMs);
  // No daylight saving: always a few minutes after nine, UTC.
  expect(lengths.every((ms) => ms > 9 * hourMs && ms < 9 * hourMs + meetingMs)).toBe(true);
});

it('is queued before it first comes, and between two occurrences as the last one left it', async () => {
  const meetingId = await record('0 9 * * *');
  expect(await status(meetingId)).toBe('queued');
  advance(21 * hourMs);
  expect(await status(meetingId)).toBe('recording');
  advance(meetingMs);
  expect(await status(meetingId)).toBe('new');
  await readReport(meetingId);
  advance(24 * hourMs - meetingMs - 1);
  expect(await status(meetingId)).toBe('processed');
  advance(1);
  expect(await status(meetingId)).toBe('recording');
  service.sandbox.failMeeting(meetingId);
  advance(dayMs - 1);
  expect(await status(meetingId)).toBe('failed');
  advance(1);
  expect(await status(meetingId)).toBe('recording');
});

it('replaces the report with every occurrence', async () => {
  const meetingId = await record('0 9 * * *', { template_name: 'daily' });
  advance(21 * hourMs + meetingMs);
  const before = await readReport(meetingId);
  await service.call('POST', '/api/generate-new-template', {
    meeting_id: meetingId,
    template_name: 'protocol',
  });
  await service.call('PUT', `/api/meeting/${meetingId}/summary`, {
    templateId: before.templates[0]?.id,
    entityName: 'tasks',
    newSummaryText: 'Mine',
  });
  advance(24 * hourMs);
  const after = await readReport(meetingId);
  expect(before.date).toBe('2026-07-08T09:00:00.000Z');
  expect(after.date).toBe('2026-07-09T09:00:00.000Z');
  expect(after.templates.map(({ name }) => name)).toEqual(['daily']);
  expect(after.templates[0]?.id).not.toBe(before.templates[0]?.id);
  expect(JSON.stringify(after)).not.toContain('Mine');
  expect(after.keywords).not.toEqual(before.keywords);
  const { body } = await service.call(
    'GET',
    '/api/workspaces/active/meetings/search?dateFrom=2026-07-09&dateTo=2026-07-09',
  );
  expect(body).toMatchObject({ total: 1, followups: [{ id: meetingId }] });
});

describe('its first occurrence', () => {
  const start = async (fields: object): Promise<unknown> => {
    await record('0 9 * * *', fields);
    const { body } = await service.call('GET', '/_sandbox/meetings');
    return (body as { meetings: { local_date_time: string }[] }).meetings[0]?.local_date_time;
  };

  it.each([
    ['after now', undefined, '2026-07-08T09:00:00.000Z'],
    ['at local_date_time', '2026-07-20T09:00:00Z', '2026-07-20T09:00:00.000Z'],
    ['after local_date_time', '2026-07-20T09:00:01Z', '2026-07-21T09:00:00.000Z'],
    ['after now, when local_date_time is over', '2026-06-01T09:00:00Z', '2026-07-08T09:00:00.000Z'],
  ])('is the first one %s', async (_when, localDateTime, expected) => {
    expect(await start({ local_date_time: localDateTime })).toBe(expected);
  });

  it('comes now when local_date_time is now', async () => {
    advance(21 * hourMs);
    expect(await start({ local_date_time: '2026-07-08T09:00:00Z' })).toBe('2026-07-08T09:00:00.000Z');
    advance(0);
    const { body } = await service.call('GET', '/_sandbox/meetings');
    expect(body).toMatchObject({ meetings: [{ status: 'recording' }] });
  });
});

it('leaves out the occurrences that come due while one is at work', async () => {
  await record('* * * * *');
  advance(hourMs);
  const { length } = service.sandbox.deliveries();
  // Two to three minutes each, then the next full minute.
  expect(length).toBeGreaterThan(15);
  expect(length).toBeLessThan(30);
});

it('comes at most ten thousand times while the clock is moved on at once', async () => {
  const daily = await record('0 9 * * *');
  const often = await record('* * * * *');
  const before = service.sandbox.clock.now();
  const refusal = `more than 10000 times until then, ${often} (* * * * *) among them: advance the clock by less`;
  expect(() => {
    advance(8 * dayMs);
  }).toThrow(refusal);
  expect(await service.call('POST', '/_sandbox/clock', { advance_seconds: 31_536_000 })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(refusal) as string },
  });
  expect(service.sandbox.clock.now()).toBe(before);
  expect(() => {
    advance(1e18);
  }).toThrow('(a year)');
  await cancel(often);
  advance(8 * dayMs);
  expect(await status(daily)).toBe('new');
});

describe('cancelling it', () => {
  it('takes it back before it first comes', async () => {
    const meetingId = await record('0 9 * * *');
    expect(await cancel(meetingId)).toMatchObject({ status: 200, body: 'OK' });
    advance(3 * dayMs);
    expect(await service.call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).toMatchObject({
      status: 404,
    });
    expect(events()).toEqual([]);
  });

  it('ends all later occurrences, and the last report stays', async () => {
    const meetingId = await record('0 9 * * *');
    advance(21 * hourMs + meetingMs);
    expect(await cancel(meetingId)).toMatchObject({ status: 200, body: 'OK' });
    advance(3 * dayMs);
    expect(await status(meetingId)).toBe('new');
    expect((await readReport(meetingId)).date).toBe('2026-07-08T09:00:00.000Z');
    expect(events()).toEqual(['meeting.completed']);
    expect(await cancel(meetingId)).toMatchObject({ status: 400, body: { code: 'NOT_SCHEDULED' } });
  });

  it('lets the occurrence that is under way end', async () => {
    const meetingId = await record('0 9 * * *');
    advance(21 * hourMs);
    expect((await cancel(meetingId)).status).toBe(200);
    advance(3 * dayMs);
    expect(await status(meetingId)).toBe('new');
    expect(events()).toEqual(['meeting.completed']);
  });

  it('makes room for the same series anew', async () => {
    const again = () => service.call('POST', '/api/record-meeting', { link, cron: '0 9 * * *' });
    const meetingId = await record('0 9 * * *');
    advance(dayMs);
    expect(await again()).toMatchObject({ status: 409, body: { code: 'ALREADY_SCHEDULED' } });
    service.sandbox.failMeeting(meetingId);
    expect((await again()).status).toBe(409);
    await cancel(meetingId);
    expect((await again()).status).toBe(200);
  });
});

it('goes on after an occurrence was stopped', async () => {
  const meetingId = await record('0 9 * * *');
  advance(21 * hourMs + 10_000);
  await service.call('POST', '/api/stop-recording', { meeting_id: meetingId });
  expect(await status(meetingId)).toBe('processing');
  advance(2 * dayMs + meetingMs);
  const received = await service.waitForEvents(3);
  expect(received.map(({ timestamp }) => timestamp).toSorted()[0]).toBe('2026-07-08T09:00:30Z');
  expect(received).toHaveLength(3);
});

it('holds an occurrence now when it is completed between two', async () => {
  const meetingId = await record('0 9 * * 1');
  service.sandbox.completeMeeting(meetingId);
  const first = await readReport(meetingId);
  advance(1000);
  service.sandbox.completeMeeting(meetingId, { isTranscriptEmpty: true });
  advance(1000);
  service.sandbox.failMeeting(meetingId, { reason: 'no_audio' });
  advance(1000);
  // The failed one may still end well: no other is begun.
  service.sandbox.completeMeeting(meetingId);
  const last = await readReport(meetingId);
  expect([first.date, last.date]).toEqual(['2026-07-07T12:00:00.000Z', '2026-07-07T12:00:02.000Z']);
  const received = await service.waitForEvents(4);
  expect(received.map(({ event, timestamp }) => `${timestamp} ${event}`).toSorted()).toEqual([
    '2026-07-07T12:00:00Z meeting.completed',
    '2026-07-07T12:00:01Z meeting.completed',
    '2026-07-07T12:00:02Z meeting.failed',
    '2026-07-07T12:00:03Z meeting.completed',
  ]);
  advance(6 * dayMs);
  expect(events()).toHaveLength(5);
});
