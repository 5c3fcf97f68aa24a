import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { listCommands, readCommandTree } from './completion/command-tree.ts';
import { createProgram } from './program.ts';
import { operationCommands } from './service/operations.ts';
import { makeFolder } from './testing/for-the-file.ts';
import { runAftermeet } from './testing/run-aftermeet.ts';

const folder = makeFolder();
const nowhere = { environment: {}, isTerminal: false, write: () => {}, writeError: () => {} };

const program = createProgram({ context: nowhere, asJson: false, finish: () => {} });

const commands = listCommands(readCommandTree(program, {})).filter(({ name }) => name !== 'help');

describe('wrong use of the command', () => {
  it.each([
    [['receiver'], {}, 'WEBHOOK_SECRET: found nothing'],
    [['worker'], {}, 'SERVICE_BASE_URL and SERVICE_API_KEY'],
    [
      ['worker'],
      { SLACK_BOT_TOKEN: 'xoxb-1' },
      'SLACK_CHANNEL: found nothing; expected a value, because SLACK_BOT_TOKEN is set',
    ],
    [['send'], {}, 'set WEBHOOK_SECRET'],
    [['send', 'ftp://x'], { WEBHOOK_SECRET: 'whsec_0123456789abcdef' }, 'is not an http or https address'],
    [['receiver', '--port', '70000'], {}, 'Expected a port from 0 to 65535'],
    [['recipes', 'check'], {}, 'at least one destination with its variables'],
    [['recipes', 'preview', 'm_1', '--event', 'meeting.lost'], {}, 'Allowed choices are meeting.completed'],
    [['recipes', 'preview', 'm_1'], {}, 'at least one destination with its variables'],
    [
      ['recipes', 'preview', 'm_1', '--recipe', 'slack-recp'],
      { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_CHANNEL: 'C0MEETINGS' },
      'There is no recipe "slack-recp": slack-recap?',
    ],
    [['drafts', 'list'], {}, 'aftermeet approvals'],
    [['approvals', 'approve'], {}, 'Name the effects, or choose all: --all.'],
    [['recipes', 'list', '--config', 'nowhere.yaml'], {}, "nowhere.yaml can't be read"],
    [['no-such-command'], {}, 'unknown command'],
    [['report', 'gte', '-h'], {}, "unknown command 'gte'"],
    [['no-such-command', '--help'], {}, "unknown command 'no-such-command'"],
    [['help', 'no-such-command'], {}, "unknown command 'no-such-command'"],
    [[], {}, 'Usage: aftermeet'],
    [['tags'], {}, 'Usage: aftermeet tags'],
  ])('%j with %j exits 2 and says what to do', async (words, environment, message) => {
    const run = await runAftermeet(words, { environment });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
  });

  it('names problems of the settings file, with suggestions', async () => {
    const file = join(folder, 'aftermeet.yaml');
    await writeFile(
      file,
      'recipes: { recap: { use: slack-recp } }\nendpoints: { a: { secrets: [whsec_0123456789abcdef], recipes: [recp] } }\n',
    );
    const run = await runAftermeet(['recipes', 'list', '--config', file]);
    const worker = await runAftermeet(['worker', '--config', file]);
    expect(worker.stderr).toContain('recipes.recap.use: found the unknown recipe "slack-recp"');
    expect(worker.stderr).toContain('\nSERVICE_BASE_URL and SERVICE_API_KEY: found one or both not set;');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(
      'recipes.recap.use: found the unknown recipe "slack-recp"; expected slack-recap?',
    );
    expect(run.stderr).toContain('endpoints.a.recipes: found the unknown recipe "recp"; expected recap?');
  });
});

it('a failure that is not wrong use has exit code 1 if the receiver does not answer', async () => {
  const run = await runAftermeet(['send', 'http://127.0.0.1:1/hooks/default'], {
    environment: { WEBHOOK_SECRET: 'whsec_0123456789abcdef' },
  });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('did not answer');
  expect(run.stderr).not.toContain('whsec');
});

describe('--help', () => {
  it.each(commands.map(({ path }) => path))('of %s has an example where it does something', async (path) => {
    const words = path.split(' ').slice(1);
    const { code, stdout } = await runAftermeet([...words, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: ${path}`);
    const isGroup = stdout.includes('help [command]');
    const isCompletion = path.endsWith(' completion');
    if (!isGroup)
      expect(stdout).toMatch(isCompletion ? /^Install it once:$/m : /^Examples?:$|^In another terminal/m);
    if (!isGroup && !isCompletion) expect(stdout).toContain('--json');
  });

  it.each([
    [['help', 'report', 'get'], 'aftermeet report get [options] <meeting-id>'],
    [['help', 'report'], 'aftermeet report [options] [command]'],
    [['report', 'help', 'get'], 'aftermeet report get [options] <meeting-id>'],
    [['help'], 'aftermeet [options] [command]'],
    [['help', 'help'], 'aftermeet [options] [command]'],
  ])('is also what %j prints', async (words, usage) => {
    const { code, stdout, stderr } = await runAftermeet(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[0]).toBe(`Usage: ${usage}`);
  });

  it('is in a pipe as on a terminal of 80 columns', async () => {
    const words = ['report', 'edit', '--help'];
    const shown = await runAftermeet(words, { isTerminal: true, columns: () => 80 });
    expect(await runAftermeet(words)).toEqual(shown);
  });
});

it('operationCommands names commands that are there', () => {
  const paths = commands.map(({ path }) => path.replace('aftermeet ', ''));
  for (const command of Object.values(operationCommands)) expect(paths).toContain(command);
});
