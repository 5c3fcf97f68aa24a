import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { formatProblem } from '../errors.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { readSettings } from './resolve.ts';
import { fillSecretFiles } from './secret-files.ts';

// Not the random letters of mkdtemp: some of them look like a token, which is hidden.
const folder = join(tmpdir(), `aftermeet-secrets-${process.pid}`);
mkdirSync(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const TOKEN = 'a7c1e9d2b4f6085313';
const SECRET = 'whsec_0123456789abcdef';

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function resolve(environment: Record<string, string>): object | string {
  const read = readSettings(environment);
  return read.ok ? read.settings : read.problems.map(formatProblem).join('\n');
}

const good = 'expected a file of at most 4096 bytes with the value alone, and one line end after it at most';

describe('a variable that ends with _FILE', () => {
  it.each(['', '\n', '\r\n'])('holds the path of the file with the value, line end %j or not', (end) => {
    const ADMIN_TOKEN_FILE = fileOf('admin', `${TOKEN}${end}`);
    const WEBHOOK_SECRET_FILE = fileOf('webhook', `${SECRET}${end}`);
    expect(resolve({ ADMIN_TOKEN_FILE, WEBHOOK_SECRET_FILE })).toMatchObject({
      adminToken: TOKEN,
      endpoints: { byName: new Map([['default', { secrets: [SECRET] }]]) },
    });
  });

  it.each([
    'ADMIN_TOKEN',
    'WEBHOOK_SECRET',
    'WEBHOOK_SECRET_PREVIOUS',
    'WEBHOOK_MASTER_SECRET',
    'SERVICE_API_KEY',
    'SLACK_BOT_TOKEN',
    'SLACK_SIGNING_SECRET',
    'SLACK_APP_TOKEN',
    'NOTION_TOKEN',
    'SMTP_URL',
    'IMAP_URL',
    'QUEUE_URL',
  ])('is there for %s', (name) => {
    const path = fileOf('any', 'value\n');
    expect(fillSecretFiles({ [`${name}_FILE`]: path, PORT: '1' })).toEqual({
      environment: { [name]: 'value', PORT: '1' },
      problems: [],
    });
  });

  it('is nothing special for other variables, nor when it is empty', () => {
    const environment = { SLACK_CHANNEL_FILE: '/x', ADMIN_TOKEN_FILE: '' };
    expect(fillSecretFiles(environment)).toEqual({ environment, problems: [] });
  });

  it('is a problem beside the variable itself', () => {
    const ADMIN_TOKEN_FILE = fileOf('both', 'b8d2f0e3c5a7196424');
    expect(resolve({ ADMIN_TOKEN: TOKEN, ADMIN_TOKEN_FILE })).toBe(
      'ADMIN_TOKEN: found ADMIN_TOKEN_FILE as well; expected one of the two',
    );
  });

  it('names the path of a file that cannot be used, never what is in it', () => {
    mkdirSync(join(folder, 'sub'));
    for (const [path, fault] of [
      [join(folder, 'not-there'), "which can't be read"],
      [join(folder, 'sub'), "which can't be read"],
      [fileOf('large', 'hunter2'.repeat(1000)), "which can't be read"],
      [fileOf('empty', '\n'), 'which is empty'],
      [fileOf('spaced', ` ${TOKEN}\n`), 'which begins or ends with white space'],
      [fileOf('lines', `${TOKEN}\n\n`), 'which begins or ends with white space'],
    ] as const) {
      expect(resolve({ ADMIN_TOKEN_FILE: path, WEBHOOK_SECRET: SECRET })).toBe(
        `ADMIN_TOKEN: found ADMIN_TOKEN_FILE=${path}, ${fault}; ${good}`,
      );
    }
  });

  it('is one problem, also where other variables need it', () => {
    expect(resolve({ SLACK_BOT_TOKEN_FILE: '/not/there', SLACK_CHANNEL: 'C0123456789' })).toBe(
      `SLACK_BOT_TOKEN: found SLACK_BOT_TOKEN_FILE=/not/there, which can't be read; ${good}`,
    );
  });

  it('is not repeated when it is the secret itself', () => {
    const problem = resolve({ NOTION_TOKEN_FILE: 'ntn_46a1Bc9dE0f2' });
    expect(problem).toContain('NOTION_TOKEN: found NOTION_TOKEN_FILE=ntn_…, which');
    expect(problem).not.toContain('46a1');
  });

  it('has a value that is judged as always', () => {
    const problem = resolve({ ADMIN_TOKEN_FILE: fileOf('weak', 'hunter2') });
    expect(problem).toContain('ADMIN_TOKEN: found 7 characters;');
  });
});

describe('a command', () => {
  it('asks only for the files that it needs', async () => {
    const broken = { ADMIN_TOKEN_FILE: '/not/there' };
    const service = { SERVICE_BASE_URL: 'http://127.0.0.1:1', SERVICE_API_KEY_FILE: '/not/there' };
    const read = await runAftermeet(['tags', 'list'], { environment: { ...broken, ...service } });
    expect(read.code).toBe(2);
    expect(read.stderr).toContain('SERVICE_API_KEY: found SERVICE_API_KEY_FILE=/not/there');
    expect(read.stderr).not.toContain('ADMIN_TOKEN');
    expect((await runAftermeet(['--help'], { environment: broken })).code).toBe(0);
  });

  it('starts no recording unsigned because the file of its secret cannot be used', async () => {
    const sent: string[] = [];
    const record = (words: readonly string[], environment: Record<string, string>) =>
      runAftermeet(['record', 'https://meet.example/a', '--webhook-url', 'https://x.example/', ...words], {
        environment: { SERVICE_BASE_URL: 'http://127.0.0.1:1', SERVICE_API_KEY: 'k', ...environment },
        client: {
          fetch: async (_address, init) => {
            sent.push(JSON.stringify(init?.body));
            return new Response('', { status: 401 });
          },
        },
      });
    const unreadable = await record([], { WEBHOOK_SECRET_FILE: '/not/there' });
    expect(unreadable.code).toBe(2);
    expect(unreadable.stderr).toContain(
      "WEBHOOK_SECRET: found WEBHOOK_SECRET_FILE=/not/there, which can't be read",
    );
    const named = await record(['--webhook-secret-from', 'WEBHOOK_SECRET_PREVIOUS'], {
      WEBHOOK_SECRET_PREVIOUS_FILE: '/not/there',
    });
    expect(named.stderr).toContain('WEBHOOK_SECRET_PREVIOUS: found WEBHOOK_SECRET_PREVIOUS_FILE=/not/there');
    const both = await record([], { WEBHOOK_SECRET: SECRET, WEBHOOK_SECRET_FILE: fileOf('w', SECRET) });
    expect(both.stderr).toContain(
      'WEBHOOK_SECRET: found WEBHOOK_SECRET_FILE as well; expected one of the two',
    );
    expect(sent).toEqual([]);
    await record([], {
      WEBHOOK_SECRET_FILE: fileOf('w', SECRET),
      WEBHOOK_SECRET_PREVIOUS_FILE: '/not/there',
    });
    expect(sent).toEqual([expect.stringContaining(SECRET)]);
  });

  it('sends the token of the file to a receiver elsewhere', async () => {
    const sent: string[] = [];
    const ask = (ADMIN_TOKEN_FILE: string, more: Record<string, string> = {}) =>
      runAftermeet(['pause'], {
        environment: { AFTERMEET_URL: 'http://127.0.0.1:1', ADMIN_TOKEN_FILE, ...more },
        client: {
          fetch: async (_address, init) => {
            sent.push(new Headers(init?.headers).get('authorization') ?? '');
            return new Response('{"exit":0}\n');
          },
        },
      });
    expect((await ask(fileOf('remote', `${TOKEN}\n`))).code).toBe(0);
    expect((await ask('/not/there')).stderr).toContain(
      "ADMIN_TOKEN: found ADMIN_TOKEN_FILE=/not/there, which can't be read",
    );
    expect(
      (await ask(fileOf('remote', `${TOKEN}\n`), { ADMIN_TOKEN: 'b8d2f0e3c5a7196424' })).stderr,
    ).toContain('ADMIN_TOKEN: found ADMIN_TOKEN_FILE as well; expected one of the two');
    expect(sent).toEqual([`Bearer ${TOKEN}`]);
  });
});
