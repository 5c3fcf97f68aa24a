import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describeWithProgram } from '@aftermeet/test/support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runAftermeet } from '../testing/run-aftermeet.ts';

type Shell = 'bash' | 'zsh' | 'fish';

const run = promisify(execFile);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aftermeet-completion-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function writeScript(shell: Shell): Promise<string> {
  const { code, stdout } = await runAftermeet(['completion', shell]);
  expect(code).toBe(0);
  const path = join(folder, `aftermeet.${shell}`);
  await writeFile(path, stdout);
  return path;
}

describeWithProgram('bash', 'completion in bash', () => {
  /** What Tab offers after these words; the last one is the one under the cursor. */
  async function complete(...words: readonly string[]): Promise<readonly string[]> {
    const script =
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _aftermeet; printf "%s\\n" "${COMPREPLY[@]}"';
    const path = join(folder, 'aftermeet.bash');
    const { stdout } = await run('bash', ['--norc', '-c', script, 'bash', path, 'aftermeet', ...words]);
    return stdout.split('\n').filter((line) => line !== '');
  }

  beforeAll(async () => {
    await writeScript('bash');
  });

  it.each([
    [['re'], ['record', 'report', 'receiver', 'recipes', 'reconcile', 'resume']],
    [
      ['report', ''],
      ['get', 'generate', 'edit', 'help'],
    ],
    [
      ['report', 'ge'],
      ['get', 'generate'],
    ],
    [
      ['export', 'm_1', '--format', ''],
      ['pdf', 'docx', 'md'],
    ],
    [['export', 'm_1', '--format', '=', 'p'], ['pdf']],
    [['export', '--format', 'pdf', '--f'], ['--format']],
    [['send', '--event', 'meeting.c'], ['meeting.completed']],
    [['record', 'https://meet.example/a', '--source', 'g'], ['gmeet']],
    [
      ['record', '--template', 'sales-'],
      ['sales-meeting', 'sales-coaching'],
    ],
    [['report', 'generate', 'm_1', 'team'], ['team-sync']],
    // The first argument is a meeting's id: nothing is known about that.
    [['report', 'generate', 'team'], []],
    [['status', '--w'], ['--wait']],
    [['--conf'], ['--config']],
    [['tags', 'list', '--conf'], ['--config']],
    // The value of an option is not a command, even if it has a command's name.
    [['--config', 'report', 'stat'], ['status']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['upload', 'meet'], []],
    [['record', '--webhook-secret'], ['--webhook-secret-from']],
  ])('after %j offers %j', async (words, offered) => {
    expect(await complete(...words)).toEqual(offered);
  });

  it('is there for the command once the script is read', async () => {
    const script = 'source "$1"; complete -p aftermeet';
    const { stdout } = await run('bash', ['--norc', '-c', script, 'bash', join(folder, 'aftermeet.bash')]);
    expect(stdout).toBe('complete -o bashdefault -o default -F _aftermeet aftermeet\n');
  });
});

describeWithProgram('zsh', 'completion in zsh', () => {
  it('is a script that zsh reads', async () => {
    expect(await run('zsh', ['-n', await writeScript('zsh')])).toMatchObject({ stdout: '', stderr: '' });
  });
});

describeWithProgram('fish', 'completion in fish', () => {
  it.each([
    [
      'aftermeet report ge',
      ['generate\tgenerate a report from another template', 'get\tread the report of a meeting'],
    ],
    ['aftermeet export m_1 --format p', ['pdf\tfile format (default: by the end of --output)']],
    ['aftermeet report generate m_1 team', ['team-sync']],
    ['aftermeet --config report stat', ['status\tshow the status of a meeting']],
  ])('after %j offers %j', async (line, offered) => {
    const path = await writeScript('fish');
    const { stdout } = await run('fish', ['-c', 'source $argv[1]; complete -C $argv[2]', path, line]);
    expect(stdout.trim().split('\n')).toEqual(offered);
  });
});

describe('a completion script', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('for %s quotes what a shell would obey', async (shell) => {
    const { stdout } = await runAftermeet(['completion', shell]);
    // Every description stands in single quotes, where nothing is run.
    const bare = stdout.replaceAll(/\\'|'[^']*'/g, '');
    expect(bare).not.toMatch(/`|\$\((?!commandline|math|compgen|count|\()/);
  });
});
