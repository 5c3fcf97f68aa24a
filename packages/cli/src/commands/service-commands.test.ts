import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { Context } from '../context.ts';
import { makeFolder, startSandbox } from '../testing/for-the-file.ts';
import { readItems } from '../testing/read-items.ts';
import { pipe, runAftermeet } from '../testing/run-aftermeet.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 30);

const { sandbox, url } = await startSandbox({ clock: () => NOW_MS });
const folder = makeFolder();
const environment = { SERVICE_BASE_URL: url, SERVICE_API_KEY: 'sandbox_key', XDG_STATE_HOME: folder };
let links = 0;

beforeEach(() => sandbox.reset());

function run(words: readonly string[], context: Partial<Context> = {}) {
  return runAftermeet(words, { environment, clock: () => NOW_MS, ...context });
}

/** Runs a command that must do what it is asked to, and reads its JSON. */
async function runJson(...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run([...words, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return readItems(stdout);
}

async function record(...options: readonly string[]): Promise<string> {
  links += 1;
  const made = await runJson('record', `https://meet.example/${links}`, ...options);
  return readText(made, 'meetingId');
}

async function hold(...options: readonly string[]): Promise<string> {
  const meetingId = await record(...options);
  sandbox.completeMeeting(meetingId);
  return meetingId;
}

function readText(value: unknown, name: string): string {
  const entry = Object.entries(value ?? {}).find(([key]) => key === name);
  return String(entry?.[1]);
}

describe('aftermeet record', () => {
  it('prints the meeting id and the next step', async () => {
    const { code, stdout, stderr } = await run(['record', 'https://meet.example/a']);
    expect(stdout.replaceAll(/[0-9a-f-]{36}/g, 'ID')).toBe(
      'The bot is on its way.\nMeeting ID\nCheck its status: aftermeet status ID --wait\n',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('plans a recording, which can be cancelled', async () => {
    const meetingId = await record('--at', '2026-12-01T10:00:00+03:00', '--title', 'Later');
    expect(await runJson('status', meetingId)).toMatchObject({ meetingId, status: 'queued' });
    const planned = ['record', 'https://meet.example/weekly', '--cron', '0 9 * * 1'];
    expect((await run(planned)).stdout.replaceAll(/[0-9a-f-]{36}/g, 'ID')).toBe(
      'The recording is planned.\nMeeting ID\nCheck its status: aftermeet status ID\n',
    );
    expect(await run(['cancel', meetingId])).toEqual({
      code: 0,
      stdout: 'The scheduled recording was cancelled.\n',
      stderr: '',
    });
  });

  it('refuses a start that is over unless --allow-past', async () => {
    const words = ['record', 'https://meet.example/past', '--at', '2026-11-21T10:24:59+01:00'];
    expect(await run(words)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "This can't be done: --at must be a time to come: it is 2026-11-21T09:30:00.000Z now; found " +
        '"2026-11-21T10:24:59+01:00".\n--allow-past overrides this.\n',
    });
    expect((await run([...words, '--allow-past'])).code).toBe(0);
  });

  it.each([
    ['2026-11-21 22:00', '2026-11-21T22:00:00+09:00', '2026-11-21T13:00:00.000Z'],
    ['2026-11-22T12:00:30', '2026-11-22T12:00:30+09:00', '2026-11-22T03:00:30.000Z'],
    ['19:00', '2026-11-21T19:00:00+09:00', '2026-11-21T10:00:00.000Z'],
    ['Tomorrow 7:05', '2026-11-22T07:05:00+09:00', '2026-11-21T22:05:00.000Z'],
  ])('takes %s as a time in the zone and says what it understood', async (at, time, inUtc) => {
    const words = ['record', 'meet.example/a', '--at', at, '--timezone', 'Asia/Tokyo'];
    expect((await run(words)).stdout).toContain(
      `The recording is planned.\nTime ${time} (Asia/Tokyo)\nMeeting `,
    );
    expect(await runJson(...words.with(1, 'meet.example/b'))).toMatchObject({ at: inUtc });
  });

  it("takes a time without a zone by this machine's clock", async () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const { stdout } = await run(['record', 'meet.example/a', '--at', '2026-12-01 10:00']);
    vi.unstubAllEnvs();
    expect(stdout).toContain('Time 2026-12-01T10:00:00+01:00 (Europe/Berlin)\n');
  });

  it.each([
    [['record', 'meet.example/a', '--template', 'Team Synk'], 'Team Synk', ': did you mean team-sync?'],
    [['export', 'm', '--format', 'md', '--template', 'Dayly'], 'Dayly', ': did you mean daily?'],
    [['report', 'generate', 'm', 'quarterly review'], 'quarterly review', ''],
  ])('refuses a template that does not exist, and proposes one: %j', async (words, template, proposal) => {
    expect(await run(words)).toEqual({
      code: 2,
      stdout: '',
      stderr: `There is no template "${template}"${proposal}\naftermeet templates lists them.\n`,
    });
  });

  it('warns of a slug that it does not know, and lets the service decide', async () => {
    const { code, stderr } = await run(['record', 'meet.example/a', '--template', 'team-synk']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^We know no template "team-synk": did you mean team-sync\?\nThe service found nothing/,
    );
  });

  it('waits for the report, with progress on a terminal', async () => {
    const waits: number[] = [];
    let lastStdout = '';
    const { code, stdout, stderr } = await run(['record', 'https://meet.example/a', '--wait'], {
      isErrorTerminal: true,
      columns: () => 60,
      client: {
        wait: async (ms) => {
          waits.push(ms);
          const [, meetingId = ''] = /Meeting (\S+)/.exec(lastStdout) ?? [];
          sandbox.completeMeeting(meetingId);
        },
      },
      write: (text) => {
        lastStdout += text;
      },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(lastStdout.endsWith('\nready (the service says: new)\n')).toBe(true);
    expect(waits.length).toBe(1);
    expect(stderr).toContain('\r\u001B[K| recording  0 s');
    expect(stderr.endsWith('\r\u001B[K')).toBe(true);
  });
});

it('aftermeet status --wait is exit code 1 if there will be no report', async () => {
  const meetingId = await record();
  sandbox.failMeeting(meetingId, { reason: 'no sound' });
  expect(await run(['status', meetingId, '--wait'])).toEqual({ code: 1, stdout: 'failed\n', stderr: '' });
  const { code, stderr } = await run(['report', 'get', meetingId, '--wait', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'no_report',
      message: 'There will be no report: the service says failed.',
      retryable: false,
    },
  });
});

it('aftermeet stop ends a recording, and does not claim it of a planned one', async () => {
  const meetingId = await record();
  expect(await runJson('stop', meetingId)).toMatchObject({ meetingId });
  const planned = await record('--at', '2026-12-01T10:00:00+03:00');
  expect((await run(['stop', planned])).stdout).toBe(
    `The service accepted the request.\nCheck the result: aftermeet status ${planned}\n`,
  );
  expect((await run(['status', planned])).stdout).toBe(
    'planned, or waiting to be processed (the service says: queued)\n',
  );
});

describe('aftermeet report get', () => {
  it('is exit code 3 until it is ready, with advice that names the template that was asked for', async () => {
    const meetingId = await record();
    const get = ['report', 'get', meetingId];
    expect(await run(get)).toEqual({
      code: 3,
      stdout: '',
      stderr: `The report is not ready: the service says recording.\nWait for it: aftermeet report get ${meetingId} --wait\n`,
    });
    expect((await run([...get, '--template', 'Design sync'])).stderr).toContain(
      `\nWait for it: aftermeet report get ${meetingId} --template 'Design sync' --wait\n`,
    );
  });

  it('prints a report and its transcript to read', async () => {
    const meetingId = await hold('--title', 'Weekly sync', '--source', 'zoom');
    const { stdout } = await run(['report', 'get', meetingId]);
    expect(stdout).toContain(
      `# Weekly sync\n\n2026-11-21 09:30 UTC, 2 min 20 s, zoom, meeting ${meetingId}\n\n## People\n\nMaya Lindqvist <maya.lindqvist@example.com>,`,
    );
    const shown = await run(['report', 'get', meetingId], { isTerminal: true, columns: () => 80 });
    expect(shown.stdout).toContain('\u001B[1mSummary\u001B[0m\n\n');
    expect(shown.stdout).toContain(`turns): aftermeet report get ${meetingId}`);
    expect(shown.stdout).not.toContain('# ');
    const transcript = await run(['report', 'get', meetingId, '--transcript']);
    expect(transcript.stdout).toMatch(/^\[00:\d\d\] \S+ \S+: /);
  });

  it('prints a normalised report as JSON, and the original with --raw', async () => {
    const meetingId = await hold('--title', 'Weekly sync');
    const report = await runJson('report', 'get', meetingId);
    expect(report).toMatchObject({ meetingId, title: 'Weekly sync', warnings: [] });
    expect(report).not.toHaveProperty('raw');
    const { stdout } = await run(['report', 'get', meetingId, '--raw']);
    expect(JSON.parse(stdout)).toHaveProperty('followup_v2.name', 'Weekly sync');
  });
});

describe('aftermeet report get --template', () => {
  it('shows the blocks of a template, by its name or id', async () => {
    const meetingId = await hold();
    expect((await run(['report', 'get', meetingId])).stdout).not.toContain('Its templates');
    const made = await run(['report', 'generate', meetingId, 'sales-meeting']);
    const templateId = /^Template id (.+)$/m.exec(made.stdout)?.[1] ?? '';
    expect(made.stdout).toContain(`Read it: aftermeet report get ${meetingId} --template sales-meeting\n`);
    const shown = await run(['report', 'get', meetingId], { isTerminal: true });
    expect(shown.stdout.split('\n').at(-2)).toBe(
      `Its templates: default-meeting, sales-meeting. One of them: aftermeet report get ${meetingId} --template sales-meeting`,
    );
    const byName = await run(['report', 'get', meetingId, '--template', 'Sales Meeting']);
    expect(
      byName.stdout.startsWith(`# sales-meeting\n\ntemplate id ${templateId}\n\n## sales_general\n\n`),
    ).toBe(true);
    expect(await run(['report', 'get', meetingId, '--template', templateId])).toEqual(byName);
    expect(await runJson('report', 'get', meetingId, '--template', 'sales-meeting')).toMatchObject({
      meetingId,
      templates: [{ id: templateId, blocks: [{ name: 'sales_general' }, {}, { name: 'tasks' }] }],
    });
  });

  it('is what the advice after a custom template uses', async () => {
    const meetingId = await hold();
    const custom = 'b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d';
    const { stdout } = await run(['report', 'generate', meetingId, custom]);
    const words = /aftermeet (report get .+)\n$/.exec(stdout)?.[1]?.split(' ') ?? [];
    expect((await run(words)).stdout).toMatch(/^# Customer call\n\ntemplate id /);
  });

  it('lists the templates if there is no such template', async () => {
    const meetingId = await hold();
    const { code, stdout, stderr } = await run(['report', 'get', meetingId, '--template', 'daily']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.replaceAll(/[0-9a-f-]{36}/g, 'ID')).toBe(
      'The report has no such template.\nIts templates are:\n' +
        '  default-meeting (template id ID)\n' +
        'Generate it: aftermeet report generate ID <template>\n',
    );
  });
});

describe('aftermeet report generate and edit', () => {
  it('finds the template of a report that has one, and lists those of another', async () => {
    const meetingId = await hold();
    const words = ['report', 'edit', meetingId, '--block', 'summary', '--text', 'We ship.'];
    expect(await run(words)).toMatchObject({ code: 0, stdout: 'The block has its new text.\n' });
    const made = await runJson('report', 'generate', meetingId, 'sales-meeting');
    expect(made).toMatchObject({ meetingId });
    sandbox.completeMeeting(meetingId);
    const { code, stderr } = await run(words);
    expect(stderr).toContain(readText(made, 'createdTemplateId'));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^Say which template of the report: --template-id\. Its templates are:\n {2}\S.*\n {2}\S.*\n$/,
    );
  });

  it.each([
    ['an option', ['--text', 'We ship.'], {}],
    ['a pipe', [], { openInput: pipe('We ', 'ship.') }],
    ['a file', ['--text-file', 'FILE'], {}],
  ])('takes the text from %s', async (_name, words, context) => {
    const file = join(folder, 'text.md');
    await writeFile(file, 'We ship.');
    const meetingId = await hold();
    const { stdout } = await run(['report', 'get', meetingId, '--json']);
    const [, templateId = ''] = /"templates": \[\s*\{[^}]*?"id": "([^"]+)"/s.exec(stdout) ?? [];
    const edit = ['report', 'edit', meetingId, '--template-id', templateId, '--block', 'summary'];
    const edited = await run([...edit, ...words.map((word) => (word === 'FILE' ? file : word))], context);
    expect(edited).toEqual({ code: 0, stdout: 'The block has its new text.\n', stderr: '' });
    expect(await runJson('report', 'get', meetingId)).toMatchObject({ summary: 'We ship.' });
  });

  it.each([
    [
      'an empty pipe',
      pipe(),
      'The piped input is empty. Give the new text with --text or --text-file, or pipe it in.\n',
    ],
    ['a terminal', () => undefined, 'Give the new text with --text or --text-file, or pipe it in.\n'],
  ])('takes no text from %s, and sends nothing', async (_name, openInput, stderr) => {
    const words = ['report', 'edit', 'm', '--template-id', 't', '--block', 'summary'];
    expect(await run(words, { openInput })).toEqual({ code: 2, stdout: '', stderr });
  });
});

it('aftermeet templates lists built-in and custom templates', async () => {
  const { stdout } = await run(['templates']);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('NAME                KIND               TEMPLATE');
  expect(lines[2]).toBe('Daily               built-in, assumed  daily');
  expect(lines[17]).toMatch(/^\S.* {2}custom +[0-9a-f-]{36}$/);
  expect(await runJson('templates')).toContainEqual({
    template: 'team-sync',
    name: 'Team Sync',
    kind: 'built-in',
    assumed: false,
  });
});

describe('aftermeet export', () => {
  it('saves into a folder, and replaces a file only with --overwrite', async () => {
    const into = await mkdtemp(join(folder, 'export-'));
    const meetingId = await hold('--title', 'Weekly sync');
    const words = ['export', meetingId, '--format', 'md', '--output', into];
    const saved = await run(words);
    expect(saved.stdout).toMatch(/^Saved .+Weekly sync\.md \(\d\.\d KiB\)\n$/);
    expect(await readdir(into)).toEqual(['Weekly sync.md']);
    const { mode } = await stat(join(into, 'Weekly sync.md'));
    if (process.platform !== 'win32') expect((mode & 0o777).toString(8)).toBe('600');
    const again = await run(words);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('--overwrite replaces the file, --output names another one.\n');
    expect((await run([...words, '--overwrite'])).code).toBe(0);
  });

  it('prints the file, without the excluded parts', async () => {
    const meetingId = await hold('--title', 'Weekly sync');
    const words = ['export', meetingId, '--format', 'md', '--output', '-'];
    const whole = await run(words);
    expect(whole.stdout).toMatch(/^# Weekly sync\n/);
    const short = await run([...words, '--no-tasks', '--no-report']);
    expect(short.stdout.length).toBeLessThan(whole.stdout.length);
  });

  it('shows progress on a terminal', async () => {
    const meetingId = await hold();
    const file = join(folder, 'progress.pdf');
    const words = ['export', meetingId, '-o', file];
    const { stderr } = await run(words, { isErrorTerminal: true });
    expect(stderr.startsWith('\r\u001B[Ksaving [')).toBe(true);
    expect(stderr.endsWith('\r\u001B[K')).toBe(true);
    expect((await readFile(file, 'latin1')).startsWith('%PDF-')).toBe(true);
  });
});

describe('aftermeet search', () => {
  it('prints a table', async () => {
    const first = await hold('--title', 'Weekly sync', '--source', 'zoom');
    const second = await record(
      '--title',
      '週次の会議 with a long tail of words that goes on',
      '--source',
      'gmeet',
    );
    expect((await run(['search'])).stdout.split('\n').toSorted()).toEqual(
      [
        '',
        'START (UTC)       TITLE                                              SOURCE  TAGS  MEETING',
        `2026-11-21 09:30  Weekly sync                                        zoom          ${first}`,
        `2026-11-21 09:30  週次の会議 with a long tail of words that goes on  gmeet         ${second}`,
      ].toSorted(),
    );
    const narrow = await run(['search', '週次'], { isTerminal: true, columns: () => 88 });
    expect(narrow.stdout).toContain(
      `2026-11-21 09:30  週次の会議 with a long tail of words that goe…  gmeet         ${second.slice(0, 8)}\n`,
    );
  });

  it('prints one array, or one object a line', async () => {
    const meetingId = await hold('--title', 'Weekly sync', '--source', 'zoom');
    const found = {
      meetingId,
      title: 'Weekly sync',
      startedAt: '2026-11-21T09:30:00.000Z',
      source: 'zoom',
      tags: [],
    };
    expect(await runJson('search', 'weekly')).toEqual([found]);
    const { stdout } = await run(['search', 'weekly', '--jsonl']);
    expect(stdout).toBe(`${JSON.stringify(found)}\n`);
  });

  it('stops at its limit and reports that there is more', async () => {
    for (const title of ['a 1', 'a 2', 'a 3']) await record('--title', title);
    const { stdout, stderr } = await run(['search', '--limit', '2', '--jsonl']);
    expect(stdout.trim().split('\n').length).toBe(2);
    expect(stderr).toBe('2 of 3 meetings; --limit all prints all of them.\n');
    expect((await run(['search', '--limit', 'all'])).stderr).toBe('');
    expect((await run(['search', '--limit', '3', '--per-page', '1'])).stderr).toBe('');
    const across = await run(['search', '--limit', '3', '--per-page', '2', '--jsonl']);
    expect({ ...across, stdout: across.stdout.trim().split('\n').length }).toEqual({
      code: 0,
      stdout: 3,
      stderr: '',
    });
    // The second page of one meeting, and the third and last one.
    expect((await run(['search', '--limit', '1', '--per-page', '1', '--page', '1'])).stderr).not.toBe('');
    expect((await run(['search', '--limit', '1', '--per-page', '1', '--page', '2'])).stderr).toBe('');
  });

  it('finds nothing without an error', async () => {
    expect(await run(['search', 'nothing'])).toEqual({ code: 0, stdout: 'No meeting found.\n', stderr: '' });
    expect(await runJson('search', 'nothing')).toEqual([]);
  });
});

it('aftermeet tags creates, lists, attaches and detaches, by id or by name', async () => {
  expect((await run(['tags', 'list'])).stdout).toBe('There are no tags: aftermeet tags create makes one.\n');
  const tag = await runJson('tags', 'create', 'Sales', '--color', 'teal');
  const tagId = readText(tag, 'id');
  expect(tag).toEqual({ id: tagId, name: 'Sales', color: 'teal' });
  expect((await run(['tags', 'list'])).stdout).toBe(`NAME   COLOUR  TAG\nSales  teal    ${tagId}\n`);
  const meetingId = await record('--title', 'Tagged');
  expect((await run(['tags', 'attach', meetingId, tagId])).stdout).toBe('The meeting has the tag.\n');
  expect(await runJson('search', '--tag', tagId)).toMatchObject([{ meetingId, tags: ['Sales'] }]);
  expect((await run(['tags', 'detach', meetingId, tagId])).stdout).toBe(
    'The meeting no longer has the tag.\n',
  );
  expect(await runJson('search', '--tag', tagId)).toEqual([]);
  expect(await runJson('tags', 'attach', meetingId, 'sales')).toMatchObject({ meetingId, tagId });
  expect(await runJson('search', '--tag', 'SALES')).toMatchObject([{ meetingId }]);
  expect(await runJson('tags', 'detach', meetingId, 'Sales')).toMatchObject({ meetingId, tagId });
});

describe('aftermeet mcp', () => {
  it('lists the tools and calls one', async () => {
    const meetingId = await hold('--title', 'Weekly sync');
    const tools = await run(['mcp', 'tools'], { isTerminal: true, columns: () => 60 });
    expect(tools.stdout).toMatch(/^TOOL +WHAT IT DOES\n(?:.{1,60}\n)+$/);
    const answer = await run(['mcp', 'call', 'get_report', `meeting_id=${meetingId}`]);
    expect({ code: answer.code, stderr: answer.stderr }).toEqual({ code: 0, stderr: '' });
    expect(answer.stdout).toContain('Weekly sync');
    const openInput = pipe(JSON.stringify({ meeting_id: meetingId }));
    const piped = await run(['mcp', 'call', 'get_report', '--input', '-'], { openInput });
    expect(piped.stdout).toBe(answer.stdout);
  });

  it('is exit code 1 if the tool reports an error', async () => {
    const { code, stdout, stderr } = await run(['mcp', 'call', 'get_report', 'meeting_id=nothing']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The tool failed: /);
  });
});

it('aftermeet people unknown counts who took part and cannot be reached, until the settings name them', async () => {
  await hold();
  await hold();
  await record();
  expect(await runJson('people', 'unknown')).toEqual([
    { name: 'Tom Okafor', meetings: 1 },
    { name: 'Дмитрий Орлов', meetings: 1 },
  ]);
  const some = await run(['people', 'unknown', '--meetings', '2', '--json']);
  expect(JSON.parse(some.stdout)).toMatchObject({ reports: 1 });
  const { stdout } = await run(['people', 'unknown']);
  expect(stdout).toMatch(
    /^PERSON +MEETINGS\nTom Okafor +1\nДмитрий Орлов +1\n\nOf 2 reports\. Name them under people:/,
  );
  const config = join(folder, 'people.yaml');
  await writeFile(
    config,
    'people: [{ name: Thomas Okafor, aliases: [Tom Okafor] }, { name: Дмитрий Орлов }]\n',
  );
  const known = await run(['people', 'unknown'], {
    environment: { ...environment, AFTERMEET_CONFIG: config },
  });
  expect(known).toMatchObject({ code: 0, stdout: 'Everybody in 2 reports is known.\n' });
});
