import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createNotionEmulator, createSlackEmulator } from '@aftermeet/sandbox';
import { beforeEach, describe, expect, it } from 'vitest';

import { makeFolder, startSandbox } from '../../testing/for-the-file.ts';
import { readItems } from '../../testing/read-items.ts';
import { pipe, runAftermeet } from '../../testing/run-aftermeet.ts';

const nowMs = Date.UTC(2026, 10, 21, 9, 30);

const folder = makeFolder();
const { sandbox, url } = await startSandbox({ clock: () => nowMs, seed: 7 });

beforeEach(() => sandbox.reset());

/** Runs a command that must do what it is asked to. */
async function run(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runAftermeet(['sandbox', ...words, '--url', url]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function runJson(...words: readonly string[]): Promise<unknown> {
  return readItems(await run(...words, '--json'));
}

async function refuse(...words: readonly string[]) {
  const { code, stderr } = await runAftermeet(['sandbox', ...words, '--url', url]);
  return { code, stderr };
}

async function record(fields: object = {}): Promise<string> {
  const response = await fetch(`${url}/api/record-meeting`, {
    method: 'POST',
    headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': 'application/json' },
    body: JSON.stringify({ link: 'https://zoom.us/j/1', title: 'Planning', ...fields }),
  });
  const { meeting_id: meetingId } = (await response.json()) as { meeting_id: string };
  return meetingId;
}

describe('meetings', () => {
  it('are listed, completed and failed', async () => {
    expect(await run('meetings')).toBe('There is no meeting: aftermeet sandbox seed makes some.\n');
    const meetingId = await record();
    expect(await run('complete', meetingId, '--language', 'de')).toBe(
      'The meeting is over: its report is ready. It has no webhook address, so no event is sent.\n',
    );
    expect(await run('meetings')).toMatch(
      new RegExp(`^START \\(UTC\\) +TITLE +STATE .*\n2026-11-21 09:30 +Planning +new +${meetingId}\n`),
    );
    expect(await run('fail', meetingId)).toBe(
      'The meeting has failed. It has no webhook address, so no event is sent.\n',
    );
    expect(await runJson('fail', meetingId, '--reason', 'No audio')).toMatchObject({ status: 'failed' });
    expect(await refuse('complete', 'unknown')).toEqual({
      code: 1,
      stderr: 'No meeting has this id; aftermeet sandbox meetings lists them.\n',
    });
  });

  it('are announced', async () => {
    const meetingId = await record({ webhook_url: 'http://127.0.0.1:9/hooks/x' });
    expect(await run('announce', meetingId, 'meeting.started', '--fields', '{"bot":"b1"}')).toMatch(
      /^Delivery \S+ is being sent: aftermeet sandbox deliveries shows how it went\.\n$/,
    );
    expect(await run('deliveries')).toMatch(/^EVENT +STATE .* DELIVERY\nmeeting\.started +/);
    expect((await refuse('announce', meetingId, 'x', '--fields', 'no')).code).toBe(2);
  });
});

describe('meetings add', () => {
  const add = (text: string, ...words: readonly string[]) =>
    runAftermeet(['sandbox', 'meetings', 'add', '-', ...words, '--url', url], { openInput: pipe(text) });

  it('adds the meeting of a file, and says what to do next', async () => {
    const file = join(folder, 'meeting.json');
    await writeFile(file, '{"title":"Own plans","summary":"We go."}');
    expect(await run('meetings', 'add', file)).toMatch(
      /^Meeting (\S+) was added, and its report is ready: aftermeet report get \1\nIt has no webhook address, so no event is sent\.\n$/,
    );
    expect(await run('meetings')).toMatch(/\n2026.* +Own plans +new /);
  });

  it('adds the meeting of piped input, and tells of its delivery', async () => {
    const meeting = JSON.stringify({ title: 'Own plans', webhook_url: 'http://127.0.0.1:9/hooks/x' });
    expect((await add(meeting)).stdout).toMatch(/\nDelivery \S+ is being sent: /);
    expect(JSON.parse((await add(meeting, '--json')).stdout)).toMatchObject({
      meetingId: expect.any(String) as string,
      status: 'new',
      deliveryId: expect.any(String) as string,
    });
  });

  it('lists everything that is wrong with the file', async () => {
    expect(await add('{"titel":"x","participants":[{}],"webhook_secret":"short"}')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "The meeting can't be used:\n" +
        '  title is missing: must be text\n' +
        '  participants[0] must be an object with a name, an email or both; found an object\n' +
        '  webhook_secret must be 16 to 128 characters; found text of length 5\n' +
        '  titel is not known; expected title? (one of title, start, language, participants, chapters, summary, ' +
        'decisions, tasks, blocks, template_name, tags, webhook_url, webhook_secret)\n',
    });
    expect(await add('{')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^The meeting is not JSON: /),
    });
    expect((await refuse('meetings', 'add')).code).toBe(2);
    expect((await refuse('meetings', 'add', '/no/such/file.json')).code).toBe(2);
    expect(await run('meetings')).toContain('There is no meeting');
  });

  it('prints the JSON Schema', async () => {
    expect(JSON.parse(await run('meetings', 'add', '--schema'))).toMatchObject({ required: ['title'] });
  });
});

it('deliveries are listed and sent again', async () => {
  expect(await run('deliveries')).toBe('Nothing was sent yet.\n');
  sandbox.completeMeeting(await record({ webhook_url: 'http://127.0.0.1:9/hooks/x' }));
  const deliveries = (await runJson('deliveries')) as { id: string }[];
  const [{ id } = { id: '' }] = deliveries;
  expect(await run('redeliver', id)).toBe(`Delivery ${id} is on its way.\n`);
  expect(await refuse('redeliver', 'none')).toEqual({
    code: 1,
    stderr: 'No delivery has this id; aftermeet sandbox deliveries lists them.\n',
  });
});

it('a delivery to another machine names the option that allows it', async () => {
  sandbox.completeMeeting(await record({ webhook_url: 'http://192.0.2.1/hooks/x' }));
  await expect.poll(() => sandbox.deliveries()[0]?.state).toBe('given_up');
  const table = await run('deliveries');
  expect(table).toContain('\n\nDeliveries stay on this machine: ');
  expect(table).toContain('--allow-remote');
});

it('a delivery that a fault hit shows it', async () => {
  await run('faults', 'add', 'drop');
  sandbox.completeMeeting(await record({ webhook_url: 'http://127.0.0.1:9/hooks/x' }));
  expect(await run('deliveries')).toMatch(/ FAULT .*\n.* dropped +0 +drop /);
});

it('seed makes meetings', async () => {
  expect(await run('seed', '--meetings', '3', '--languages', 'en,de')).toBe(
    '3 meetings were made: aftermeet search lists them.\n',
  );
  const meetings = (await runJson('meetings')) as unknown[];
  expect(meetings).toHaveLength(3);
  expect((await refuse('seed', '--languages', 'tlh')).code).toBe(2);
});

it('clock is shown and advanced', async () => {
  expect(await run('clock')).toMatch(/^2026-11-21T09:30:00\S*Z\n$/);
  expect(await run('advance', '1h30m')).toMatch(/^2026-11-21T11:00:00\S*Z\n$/);
  expect(await run('advance', '90s')).toMatch(/^2026-11-21T11:01:30\S*Z\n$/);
  expect(await runJson('clock')).toMatchObject({ now: '2026-11-21T11:01:30.000Z' });
  expect((await refuse('advance', '53w')).stderr).toContain('several times for more');
});

it('faults are planned, listed and taken back', async () => {
  expect(await run('faults', 'list')).toBe('No fault is planned.\n');
  expect(
    await run('faults', 'add', 'status', '--status', '429', '--retry-after', '2', '--on', 'tags.list'),
  ).toBe('Planned as fault-1.\n');
  expect(await run('faults', 'add', 'duplicate', '--times', 'always', '--after', '3')).toBe(
    'Planned as fault-2.\n',
  );
  expect(await run('faults', 'list')).toMatch(
    /^KIND +ON +TIMES +HAPPENED +DETAILS +FAULT\nstatus +tags\.list +1 +0 +status=429 retry_after_seconds=2 +fault-1\nduplicate +any +always +0 +after=3 +fault-2\n$/,
  );
  expect(await run('faults', 'remove', 'fault-1')).toBe('The fault was removed.\n');
  expect(await run('faults', 'clear')).toBe('No fault is planned any more.\n');
  expect(await runJson('faults', 'list')).toEqual([]);
  expect((await refuse('faults', 'add', 'nonsense')).code).toBe(2);
  expect((await refuse('faults', 'add', 'reset', '--on', 'no.such')).code).toBe(2);
});

it.each([
  [createSlackEmulator, '--error', 'channel_not_found', { error: 'channel_not_found', isApplied: true }],
  [createNotionEmulator, '--code', 'rate_limited', { code: 'rate_limited', isApplied: true }],
])('an error of an emulator is planned: %o', async (create, option, code, fields) => {
  const emulator = create();
  try {
    const address = (await emulator.listen()).url;
    const words = ['faults', 'add', 'error', option, code, '--applied', '--json', '--url', address];
    const { stdout, stderr } = await runAftermeet(['sandbox', ...words]);
    expect([stderr, JSON.parse(stdout)]).toEqual(['', { fault: expect.objectContaining(fields) as object }]);
  } finally {
    await emulator.close();
  }
});

it('options are shown, set and reset', async () => {
  const command = 'options';
  expect(await run(command)).toContain('\n  statusAnswer=text\n');
  expect(await run(command)).not.toContain('*');
  expect(await run(command, 'statusAnswer=json', 'stateWords={"new":"ready"}')).toBe(
    '* statusAnswer=json\n* stateWords={"new":"ready"}\n',
  );
  expect(await run(command)).toContain('\n* statusAnswer=json\n');
  expect(await runJson(command)).toMatchObject({ options: { statusAnswer: 'json' } });
  expect(await run(command, '--reset')).toContain('\n  statusAnswer=text\n');
  expect((await refuse(command, 'statusanswer=json')).stderr).toContain('statusAnswer');
  expect((await refuse(command, '=x')).code).toBe(2);
});

it('the options of aftermeet sandbox are not those of its commands', async () => {
  expect(await refuse('meetings', '--port', '4010')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("unknown option '--port'") as string,
  });
  await run('seed', '--seed', '3', '--meetings', '1');
  const first = await run('meetings');
  await run('reset');
  await run('seed', '--seed', '4', '--meetings', '1');
  expect(await run('meetings')).not.toBe(first);
});

it('the account gets another key and another plan', async () => {
  expect(await run('key', 'sandbox_other')).toBe('sandbox_other\n');
  expect(await run('key')).toMatch(/^sandbox_\w+\n$/);
  expect(await run('plan')).toBe('Plan business, minutes without limit\n');
  expect(await run('plan', 'pro', '--minutes-left', '0')).toBe('Plan pro, 0 minutes left\n');
  expect(await run('plan', '--minutes-left', '5')).toBe('Plan pro, 5 minutes left\n');
  expect(await run('plan', 'lite', '--minutes-left', 'unlimited')).toBe('Plan lite, minutes without limit\n');
  expect((await refuse('plan', '--minutes-left', '0.5')).stderr).toContain('Expected unlimited, or a number');
  expect(await refuse('seed', '--days', '0')).toEqual({
    code: 2,
    stderr: '--days: must be a whole number from 1 to 365.\n',
  });
});

it('reset forgets everything', async () => {
  await record();
  expect(await run('reset')).toBe('Everything is as at the start.\n');
  expect(await runJson('meetings')).toEqual([]);
});

it.each([
  ['http://127.0.0.1:9', 'No sandbox answers at http://127.0.0.1:9.'],
  ['ftp://x', 'Expected a web address such as'],
  ['https://me:secret@127.0.0.1', 'Expected a web address such as'],
])('where no sandbox is says so: %s', async (address, message) => {
  const { code, stderr } = await runAftermeet(['sandbox', 'meetings', '--url', address]);
  expect([code, stderr.includes(message)]).toEqual([address.startsWith('http:') ? 1 : 2, true]);
});

it.each([
  ['http://localhost:4999/', 'http://localhost:4999'],
  ['http://[::1]:4999', 'http://[::1]:4999'],
  ['https://service.example.com', 'http://127.0.0.1:4010'],
  ['https://127.0.0.1.example.com', 'http://127.0.0.1:4010'],
  ['nonsense', 'http://127.0.0.1:4010'],
  ['', 'http://127.0.0.1:4010'],
])('without --url SERVICE_BASE_URL=%s asks %s', async (baseUrl, asked) => {
  const addresses: string[] = [];
  const answer = async (address: unknown): Promise<Response> => {
    addresses.push(String(address));
    return Response.json({ now: '2026-11-21T09:30:00.000Z' });
  };
  const environment = { SERVICE_BASE_URL: baseUrl };
  const { stdout } = await runAftermeet(['sandbox', 'clock'], { environment, client: { fetch: answer } });
  expect([stdout, addresses]).toEqual(['2026-11-21T09:30:00.000Z\n', [`${asked}/_sandbox/clock`]]);
});

it.each([
  [200, { meetings: 'none', now: { a: 1 } }],
  [200, [1]],
  [200, null],
])('an answer that is not the one of a sandbox is shown without a crash: %i %j', async (status, body) => {
  for (const words of [
    ['meetings'],
    ['clock'],
    ['plan'],
    ['seed'],
    ['faults', 'add', 'reset'],
    ['options'],
  ]) {
    const fetch = async (): Promise<Response> => Response.json(body, { status });
    const { code, stderr } = await runAftermeet(['sandbox', ...words], { client: { fetch } });
    expect([words, code, stderr]).toEqual([words, 0, '']);
  }
});
