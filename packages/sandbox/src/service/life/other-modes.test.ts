import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';

import { type LivingSandbox, startLivingSandbox } from '../../testing/start-living-sandbox.ts';
import { createSandbox } from '../create-sandbox.ts';
import type { Transitions, WrittenTransitions } from './transitions.ts';

const link = 'https://meet.example/plans';

let house: LivingSandbox;

async function start(transitions: WrittenTransitions): Promise<void> {
  house = await startLivingSandbox({ transitions });
}

const ask = async (meetingId: string, times: number): Promise<readonly unknown[]> => {
  const answers: unknown[] = [];
  while (answers.length < times) answers.push(await house.readStatus(meetingId));
  return answers;
};

describe('immediately', () => {
  it('a meeting is ready soon after the answer has left, without the clock', async () => {
    await start('immediate');
    const { body } = await house.call('POST', '/api/record-meeting', {
      link: 'https://meet.example/plans',
      webhook_url: house.receiverUrl,
    });
    const { meeting_id: meetingId } = body as { meeting_id: string };
    expect(body).toMatchObject({ status: 'recording' });
    expect(await house.waitForEvents(1)).toMatchObject([
      { event: 'meeting.completed', meeting_id: meetingId },
    ]);
    expect(await house.readStatus(meetingId)).toBe('new');
  });

  it('no meeting waits for a call that is open and is not its own', async () => {
    await start('immediate');
    const { hostname, port } = new URL(house.url);
    const call = connect(Number(port), hostname);
    const head = [
      'POST /api/video HTTP/1.1',
      'Host: 127.0.0.1',
      'X-API-KEY: sandbox_key',
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000',
      'Expect: 100-continue',
    ];
    call.write(`${head.join('\r\n')}\r\n\r\n`);
    // 100 Continue: the call has begun.
    await once(call, 'data');
    const now = await house.record();
    const later = await house.record({ link: `${link}/2`, local_date_time: '2026-07-08T11:00:00Z' });
    const series = await house.record({ link: `${link}/3`, cron: '0 12 * * *' });
    house.advance(86_400_000);
    const statuses = await Promise.all([now, later, series].map(house.readStatus));
    call.destroy();
    expect(statuses).toEqual(['new', 'new', 'new']);
  });

  it('a meeting waits until the answer of its own call has left', async () => {
    await start('immediate');
    house.sandbox.callFaults.add({ on: 'recordings.start', kind: 'drip', ms: 60_000 });
    const lost = house.record({ webhook_url: house.receiverUrl }).catch(() => 'lost');
    const list = async (): Promise<readonly { status: string }[]> => {
      const { body } = await house.call('GET', '/_sandbox/meetings');
      return (body as { meetings: { status: string }[] }).meetings;
    };
    while ((await list()).length === 0);
    await house.record({ link: 'https://meet.example/other' });
    house.advance(0);
    expect(await list()).toMatchObject([{ status: 'recording' }, { status: 'new' }]);
    house.sandbox.callFaults.reset();
    await house.waitForEvents(1);
    expect(await lost).toBe('lost');
  });

  it('a planned one waits for its time, and a series for each of its times', async () => {
    await start('immediate');
    const planned = await house.record({ local_date_time: '2026-07-08T12:00:00Z' });
    const series = await house.record({ cron: '0 12 * * *' });
    house.advance(86_399_999);
    expect([await house.readStatus(planned), await house.readStatus(series)]).toEqual(['queued', 'queued']);
    house.advance(1);
    expect([await house.readStatus(planned), await house.readStatus(series)]).toEqual(['new', 'new']);
    house.advance(2 * 86_400_000);
    const { body } = await house.call('GET', '/_sandbox/meetings');
    expect(body).toMatchObject({
      meetings: [
        { meeting_id: planned, local_date_time: '2026-07-08T12:00:00Z' },
        { meeting_id: series, local_date_time: '2026-07-10T12:00:00.000Z' },
      ],
    });
  });

  it('nothing comes back after a reset or a cancellation', async () => {
    await start('immediate');
    await house.record();
    house.sandbox.reset();
    const planned = await house.record({ local_date_time: '2026-07-08T12:00:00Z' });
    await house.call('DELETE', `/api/record-meeting?meeting_id=${planned}`);
    house.advance(86_400_000);
    expect((await house.call('GET', '/_sandbox/meetings')).body).toEqual({ meetings: [] });
  });
});

describe('with every so many questions', () => {
  it('a meeting is one state further', async () => {
    await start({ polls: 2 });
    const meetingId = await house.record({ local_date_time: '2026-08-01T12:00:00Z' });
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
    const meetingId = await house.record();
    const path = `/api/video/report?meeting_id=${meetingId}`;
    expect((await house.call('GET', path)).status).toBe(202);
    expect((await house.call('GET', path)).status).toBe(200);
    expect(await ask(meetingId, 2)).toEqual(['processed', 'processed']);
  });

  it('and somebody else’s steps begin the count anew', async () => {
    await start({ polls: 2 });
    const meetingId = await house.record();
    await ask(meetingId, 1);
    await house.call('POST', '/api/stop-recording', { meeting_id: meetingId });
    expect(await ask(meetingId, 2)).toEqual(['processing', 'new']);
    house.sandbox.failMeeting(meetingId);
    expect(await ask(meetingId, 3)).toEqual(['failed', 'failed', 'failed']);
  });

  it('a series comes, and comes again by the clock', async () => {
    await start({ polls: 1 });
    const meetingId = await house.record({ cron: '0 9 * * *' });
    expect(await ask(meetingId, 4)).toEqual(['recording', 'processing', 'new', 'new']);
    house.advance(21 * 3_600_000);
    expect(await ask(meetingId, 2)).toEqual(['processing', 'new']);
  });

  it('nothing happens to a meeting that is not there', async () => {
    await start({ polls: 1 });
    expect(await ask('unknown', 2)).toMatchObject([
      { code: 'MEETING_NOT_FOUND' },
      { code: 'MEETING_NOT_FOUND' },
    ]);
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])('a sandbox does not start with %s of them', async (polls) => {
    await start('manual');
    expect(() => createSandbox({ transitions: { polls } })).toThrow(RangeError);
  });

  it('they may be written as the command has them', async () => {
    await start('polls:2');
    const meetingId = await house.record();
    expect(await ask(meetingId, 4)).toEqual(['recording', 'processing', 'processing', 'new']);
  });

  it.each([
    'bogus',
    'polls',
    'polls:0',
    'polls:1.5',
    'polls:-1',
    'polls:1e3',
    '',
    null,
    3,
    [],
    {},
    { polls: '3' },
  ])('%j are no transitions, in plain JavaScript', async (transitions) => {
    await start('manual');
    expect(() => createSandbox({ transitions: transitions as Transitions })).toThrow(
      /^No such transitions: give 'manual', 'clock', 'immediate', or \{ polls: 3 \}, also written 'polls:3'/,
    );
  });
});

it('by hand, nothing moves by itself, whatever the time', async () => {
  await start('manual');
  const ids = [
    await house.record(),
    await house.record({ local_date_time: '2026-07-08T12:00:00Z' }),
    await house.record({ cron: '0 12 * * *' }),
  ];
  house.advance(30 * 86_400_000);
  expect(await Promise.all(ids.map(house.readStatus))).toEqual(['recording', 'queued', 'queued']);
});

it('a planned start comes sooner on a fast clock, and nobody moves it', async () => {
  await start('immediate');
  const receiverUrl = house.receiverUrl;
  house.sandbox.clock.change({ isFrozen: false, timeScale: 1_000_000 });
  await house.record({ local_date_time: '2026-07-07T13:00:00Z', webhook_url: receiverUrl });
  expect(await house.waitForEvents(1)).toMatchObject([{ event: 'meeting.completed' }]);
});
