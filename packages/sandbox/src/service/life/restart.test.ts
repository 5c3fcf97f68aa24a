import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { type PickyReceiver, startPickyReceiver } from '../../testing/start-picky-receiver.ts';
import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';

const hourMs = 3_600_000;
const noonMs = Date.parse('2026-07-07T12:00:00Z');

interface ReceivedEvent {
  readonly meeting_id: string;
  readonly timestamp: string;
  readonly data: { readonly report_url: string };
}

let folder: string;
let receiver: PickyReceiver;
let wallMs: number;
let house: TestSandbox;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-life-'));
  receiver = await startPickyReceiver();
  wallMs = noonMs;
});

afterEach(async () => {
  await house.sandbox.close();
  await rm(folder, { recursive: true });
});

async function start(): Promise<void> {
  house = await startTestSandbox({ transitions: 'clock', data: folder, clock: () => wallMs });
}

async function restart(pauseMs: number): Promise<void> {
  await house.sandbox.close();
  wallMs += pauseMs;
  await start();
}

async function record(fields: object): Promise<string> {
  const { body } = await house.call('POST', '/api/record-meeting', {
    link: 'https://meet.example/plans',
    webhook_url: receiver.url,
    ...fields,
  });
  return (body as { meeting_id: string }).meeting_id;
}

async function listMeetings(): Promise<unknown> {
  const { body } = await house.call('GET', '/_sandbox/meetings');
  return (body as { meetings: unknown }).meetings;
}

it('goes on at the time to which the clock was moved, with what was planned', async () => {
  await start();
  const planned = await record({ local_date_time: '2026-07-07T15:00:00Z' });
  const running = await record({});
  const series = await record({ cron: '0 9 * * *' });
  house.sandbox.clock.advance(2 * hourMs);
  await receiver.waitFor(1);
  await record({ link: 'https://meet.example/other' });
  await restart(60_000);
  expect(house.sandbox.clock.now()).toBe(noonMs + 2 * hourMs + 60_000);
  expect(await listMeetings()).toMatchObject([
    { meeting_id: planned, status: 'queued', next_change_at: '2026-07-07T15:00:00.000Z' },
    { meeting_id: running, status: 'new' },
    { meeting_id: series, status: 'queued', next_change_at: '2026-07-08T09:00:00.000Z' },
    { status: 'recording', next_change_at: expect.stringMatching(/^2026-07-07T14:0/) as string },
  ]);
  house.sandbox.clock.advance(hourMs);
  await receiver.waitFor(2);
  expect(await listMeetings()).toMatchObject([{ status: 'recording' }, {}, {}, { status: 'new' }]);
});

it('makes up for the time in which it was not there, in order; of a series, for the last occurrence', async () => {
  await start();
  const series = await record({ cron: '0 9 * * *' });
  const planned = await record({
    local_date_time: '2026-07-08T08:00:00Z',
    link: 'https://meet.example/other',
  });
  await restart(48 * hourMs);
  const arrivals = await receiver.waitFor(2);
  const events = arrivals.map(({ body }) => JSON.parse(body.toString()) as ReceivedEvent);
  // Deliveries may overtake one another, the log does not.
  expect(house.sandbox.deliveries().map(({ meetingId }) => meetingId)).toEqual([planned, series]);
  expect(events.map(({ timestamp }) => timestamp.slice(0, 14)).toSorted()).toEqual([
    '2026-07-08T08:',
    '2026-07-09T09:',
  ]);
  expect(events.map(({ data }) => data.report_url)).toEqual(
    events.map(({ meeting_id: id }) => `${house.url}/api/video/report?meeting_id=${id}`),
  );
  expect(house.sandbox.clock.now()).toBeGreaterThanOrEqual(noonMs + 48 * hourMs);
});

it('leaves out what a series missed while it was not there, also behind the occurrence that was under way', async () => {
  await start();
  const series = await record({ cron: '* * * * *' });
  house.sandbox.clock.advance(120_000);
  await restart(60 * hourMs);
  const [arrival] = await receiver.waitFor(1);
  const { timestamp } = JSON.parse(arrival?.body.toString() ?? '{}') as ReceivedEvent;
  // The one under way ended when it would have; the next began in the last minute that was missed.
  expect(timestamp).toMatch(/^2026-07-07T12:0/);
  house.sandbox.clock.advance(0);
  expect(await listMeetings()).toMatchObject([
    { meeting_id: series, status: 'recording', local_date_time: '2026-07-10T00:02:00.000Z' },
  ]);
  expect(house.sandbox.deliveries()).toHaveLength(1);
});

it('sends nothing a second time', async () => {
  await start();
  await record({});
  house.sandbox.clock.advance(hourMs);
  await receiver.waitFor(1);
  await restart(hourMs);
  house.sandbox.clock.advance(48 * hourMs);
  expect(house.sandbox.deliveries()).toHaveLength(1);
});
