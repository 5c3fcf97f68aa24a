import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describeWithProgram } from '@aftermeet/test/support';
import { beforeAll, describe, expect, it } from 'vitest';

import { makeFolder } from '../testing/for-the-file.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { serve } from '../testing/serve.ts';

type Shell = 'bash' | 'zsh' | 'fish';

const run = promisify(execFile);

const folder = makeFolder();

/** A command that knows two meetings, and tags of which one is what a shell would obey. */
async function writeFakeCommand(): Promise<Record<string, string | undefined>> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const meetings = String.raw`printf '3f2a9c01-a\tWeekly: sync\n77aa0011-b\t\n'`;
  const tags = String.raw`printf 'Sales\t\nBoard pack\t\n$(touch hacked)\t\n'`;
  const script = `#!/bin/sh\ncase "$*" in\n'__complete meetings') ${meetings} ;;\n'__complete tags') ${tags} ;;\n*) exit 1 ;;\nesac\n`;
  await writeFile(join(bin, 'aftermeet'), script, { mode: 0o755 });
  return { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
}

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
    const given = ['--norc', '-c', script, 'bash', path, 'aftermeet', ...words];
    const { stdout } = await run('bash', given, { env: await writeFakeCommand(), cwd: folder });
    return stdout.split('\n').filter((line) => line !== '');
  }

  beforeAll(async () => {
    await writeScript('bash');
  });

  it.each([
    ['re', 'record, report, receiver, recipes, restore, reconcile, resume'],
    ['report ', 'get, generate, edit, help'],
    ['report ge', 'get, generate'],
    ['export m_1 --format ', 'pdf, docx, md'],
    ['export m_1 --format = p', 'pdf'],
    ['export --format pdf --f', '--format'],
    ['send --event meeting.c', 'meeting.completed'],
    ['record https://meet.example/a --source g', 'gmeet'],
    ['record --template sales-', 'sales-meeting, sales-coaching'],
    ['report generate m_1 team', 'team-sync'],
    ['report generate team', ''],
    ['report get ', '3f2a9c01-a, 77aa0011-b'],
    ['effects list --meeting 77', '77aa0011-b'],
    ['tags attach m_1 B', String.raw`Board\ pack`],
    ['search --tag $', ''],
    ['search --tag ', String.raw`Sales, Board\ pack, \$\(touch\ hacked\)`],
    [String.raw`search --tag \$`, String.raw`\$\(touch\ hacked\)`],
    // Its meetings are not those of the service.
    ['sandbox complete 3', ''],
    ['status --w', '--wait'],
    ['--conf', '--config'],
    ['tags list --conf', '--config'],
    // The value of an option is not a command, even if it has a command's name.
    ['--config report stat', 'status'],
    ['completion ', 'bash, zsh, fish'],
    ['upload meet', ''],
    ['record --webhook-secret', '--webhook-secret-from'],
  ])('after "%s" offers "%s", and obeys nothing of what the service says', async (line, offered) => {
    expect((await complete(...line.split(' '))).join(', ')).toBe(offered);
    expect(await readdir(folder)).not.toContain('hacked');
  });

  it('is there for the command once the script is read', async () => {
    const script = 'source "$1"; complete -p aftermeet';
    const { stdout } = await run('bash', ['--norc', '-c', script, 'bash', join(folder, 'aftermeet.bash')]);
    expect(stdout).toBe('complete -o bashdefault -o default -F _aftermeet aftermeet\n');
  });
});

describeWithProgram('zsh', 'completion in zsh', () => {
  it.each([
    [['status', ''], 'value: 3f2a9c01-a:Weekly: sync|77aa0011-b:'],
    [['tags', 'attach', 'm_1', ''], 'value: Sales:|Board pack:|$(touch hacked):'],
    [['export', 'm_1', '--format', ''], 'pdf docx md'],
  ])('after %j offers %s', async (words, offered) => {
    // What zsh offers with, in place of its own functions.
    const script =
      'compdef() { }; _describe() { print -r -- "$2: ${(j:|:)${(P)3}}" }; compadd() { shift; print -r -- "$*" }; ' +
      'source $1; shift; words=("$@"); CURRENT=$#; _aftermeet';
    const given = ['-f', '-c', script, 'zsh', await writeScript('zsh'), 'aftermeet', ...words];
    const { stdout } = await run('zsh', given, { env: await writeFakeCommand(), cwd: folder });
    expect(stdout.trim()).toBe(offered);
    expect(await readdir(folder)).not.toContain('hacked');
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
    ['aftermeet status 3', ['3f2a9c01-a\tWeekly: sync']],
    ['aftermeet effects list --meeting 77', ['77aa0011-b']],
    ['aftermeet search --tag Bo', ['Board pack']],
  ])('after %j offers %j', async (line, offered) => {
    const path = await writeScript('fish');
    const given = ['-c', 'source $argv[1]; complete -C $argv[2]', path, line];
    const { stdout } = await run('fish', given, { env: await writeFakeCommand(), cwd: folder });
    expect(stdout.trim().split('\n')).toEqual(offered);
  });
});

describe('aftermeet __complete', () => {
  it('prints meetings and tags, in words that come back as they are', async () => {
    const service = await serve((request, response) => {
      const body = request.url?.includes('tags')
        ? {
            tags: ['Sales', 'a,b', '--all', 'a\tb', 'a\u001B[31mb'].map((name, at) => ({
              id: `t_${at}`,
              name,
            })),
          }
        : {
            meetings: [
              { id: 'm_1', title: 'Weekly\n\tsync' },
              { id: '--help', title: 'x' },
            ],
            total: 2,
          };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
    const environment = { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'key_0123456789' };
    const meetings = await runAftermeet(['__complete', 'meetings'], { environment });
    const tags = await runAftermeet(['__complete', 'tags'], { environment });
    await service.close();
    expect(meetings).toEqual({ code: 0, stdout: 'm_1\tWeekly sync\n', stderr: '' });
    expect(tags.stdout).toBe('Sales\t\nt_1\ta,b\nt_2\t--all\nt_3\ta b\nt_4\tab\n');
  });

  it('says nothing where there is no service, and where it does not answer soon', async () => {
    const silent = { code: 0, stdout: '', stderr: '' };
    expect(await runAftermeet(['__complete', 'meetings'])).toEqual(silent);
    const service = await serve(() => {});
    const environment = { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'key_0123456789' };
    const startedAtMs = performance.now();
    expect(await runAftermeet(['__complete', 'tags'], { environment })).toEqual(silent);
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    await service.close();
  });
});

it.each(['bash', 'zsh', 'fish'] as const)(
  'a completion script for %s quotes what a shell would obey',
  async (shell) => {
    const { stdout } = await runAftermeet(['completion', shell]);
    // Every description stands in single quotes, where nothing is run.
    const bare = stdout.replaceAll(/\\'|'[^']*'/g, '');
    expect(bare).not.toMatch(/`|\$\((?!commandline|math|compgen|count|\()/);
  },
);
