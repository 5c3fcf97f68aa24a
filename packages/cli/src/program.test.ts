import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { runProgram } from './program.ts';

/** Runs one command line with nothing but the given environment. */
async function runAftermeet(words: readonly string[], environment: Readonly<Record<string, string>>) {
  let stdout = '';
  let stderr = '';
  const code = await runProgram(words, {
    environment,
    isTerminal: false,
    write: (text) => {
      stdout += text;
    },
    writeError: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}

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
    [['send', 'ftp://x'], { WEBHOOK_SECRET: 'whsec_0123456789abcdef' }, 'is no http or https address'],
    [['receiver', '--port', '70000'], {}, 'Expected a port from 0 to 65535'],
    [['recipes', 'list', '--config', 'nowhere.yaml'], {}, "nowhere.yaml can't be read"],
    [['no-such-command'], {}, 'unknown command'],
    [['worker', '--no-such-option'], {}, 'unknown option'],
  ])('%j with %j exits 2 and says what to do', async (words, environment, message) => {
    const run = await runAftermeet(words, environment);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
  });

  it('finds what is wrong in the settings file, and the recipe that was meant', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aftermeet-settings-'));
    const file = join(folder, 'aftermeet.yaml');
    await writeFile(
      file,
      'recipes: { recap: { use: slack-recp } }\nendpoints: { a: { secrets: [whsec_0123456789abcdef], recipes: [recp] } }\n',
    );
    const run = await runAftermeet(['recipes', 'list', '--config', file], {});
    await rm(folder, { recursive: true });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(
      'recipes.recap.use: found the unknown recipe "slack-recp"; expected slack-recap?',
    );
    expect(run.stderr).toContain('endpoints.a.recipes: found the unknown recipe "recp"; expected recap?');
  });
});

describe('what is no wrong use', () => {
  it('is exit code 1 when nobody answers', async () => {
    const run = await runAftermeet(['send', 'http://127.0.0.1:1/hooks/default'], {
      WEBHOOK_SECRET: 'whsec_0123456789abcdef',
    });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('did not answer');
    expect(run.stderr).not.toContain('whsec');
  });

  it('is --help, for every command', async () => {
    const words = [
      [],
      ['dev'],
      ['receiver'],
      ['worker'],
      ['sandbox'],
      ['send'],
      ['recipes'],
      ['recipes', 'list'],
    ];
    const runs = await Promise.all(words.map((command) => runAftermeet([...command, '--help'], {})));
    for (const { code, stdout } of runs) {
      expect(code).toBe(0);
      expect(stdout).toContain('Usage: aftermeet');
    }
  });
});
