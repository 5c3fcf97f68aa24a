import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { root } from '../pins/picture.ts';
import { findFreePort, makeTemporaryFolder, type TemporaryFolder } from '../support/index.ts';

// The first door of docs/first-steps.md, with its own commands, one after the other: only MEETING and LINK are filled in, and
// the sandbox takes free ports.

const STORY_WITHIN_MS = 240_000;

let folder: TemporaryFolder;
const running: ChildProcess[] = [];
beforeAll(async () => {
  folder = await makeTemporaryFolder();
});
afterAll(async () => {
  for (const child of running.toReversed()) {
    if (child.exitCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  folder.remove();
});

/** The commands of one door, in their order, each once. */
async function readCommands(door: string): Promise<readonly string[]> {
  const page = await readFile(join(root, 'docs/first-steps.md'), 'utf8');
  const [, after = ''] = page.split(`<a id="${door}"></a>`);
  const [text = ''] = after.split('<a id="');
  return [...text.matchAll(/`npx aftermeet ([^`]+)`/g)].map(([, words = '']) => words);
}

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** `npx aftermeet …` in the folder, until it ends or prints what is waited for. */
function run(
  words: string,
  { until, more = [] }: { until?: RegExp; more?: readonly string[] } = {},
): Promise<Ran> {
  const program = join(root, 'packages/cli/bin/aftermeet.js');
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program, ...words.split(' '), ...more], {
    cwd: folder.path,
    env: { PATH, HOME, LOG_FORMAT: 'json' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  return new Promise((resolve) => {
    const take = (text: string): void => {
      output += text;
      if (until?.test(output) === true) resolve({ code: null, output });
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take);
    child.once('exit', (code) => resolve({ code, output }));
  });
}

it(
  'the door "with your own accounts" leads to a message, as it is written',
  { timeout: STORY_WITHIN_MS },
  async () => {
    const sandbox = await run('sandbox', { until: /Ready/, more: ['--port', '0'] });
    const settings = sandbox.output.match(/^[A-Z_]+=.*$/gm) ?? [];
    expect(settings.length).toBeGreaterThan(4);
    const url = settings.find((line) => line.startsWith('SERVICE_BASE_URL='))?.split('=')[1] ?? '';
    await run('sandbox seed', { more: ['--url', url, '--meetings', '1'] });

    const commands = await readCommands('accounts');
    expect(commands).toEqual([
      'init',
      'doctor',
      'search',
      'recipes preview MEETING --html',
      'receiver',
      'worker',
      'record LINK --endpoint default',
      'send --meeting-id MEETING --wait 60s',
    ]);
    const [
      init = '',
      doctor = '',
      search = '',
      preview = '',
      receiver = '',
      worker = '',
      record = '',
      send = '',
    ] = commands;

    expect((await run(init)).code).toBe(0);
    const port = await findFreePort();
    const own = [
      'WEBHOOK_SECRET=0f3c9a7be1d24c58a6b7c8d9e0f1a2b3',
      'SLACK_BOT_TOKEN=xoxb-sandbox',
      'SLACK_CHANNEL=C0MEETINGS',
    ];
    const at = [`PORT=${port}`, `PUBLIC_URL=http://127.0.0.1:${port}`];
    const slack = settings.filter((line) => /^(?:SERVICE|SLACK)_/.test(line));
    await appendFile(join(folder.path, '.env'), `${[...slack, ...own, ...at].join('\n')}\n`);

    const seen = await run(doctor);
    expect(seen.output).toMatch(/Slack/);
    const found = await run(search, { more: ['--json'] });
    const meeting = /"meetingId": ?"([^"]+)"/.exec(found.output)?.[1] ?? '';
    expect(meeting).not.toBe('');
    expect((await run(preview.replace('MEETING', meeting))).code).toBe(0);

    await run(receiver, { until: /^queue /m });
    await run(worker, { until: /^queue /m });
    const recorded = await run(record.replace('LINK', 'https://meet.example/abc'));
    expect(recorded.code).toBe(0);
    const sent = await run(send.replace('MEETING', meeting));
    expect(sent).toMatchObject({ code: 0 });
    const listed = await run('effects list --state sent');
    expect(listed.output).toContain('slack-recap');
  },
);
