// The packages as their users get them: packed, and installed from the tarballs in an empty project, without the project's
// own .npmrc, and as a global command. The first example of each README runs there, and the commands of the pages that lead in.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { packageNames, root } from '../pins/picture.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../support/index.ts';
import { pages } from './doors.ts';
import { cleanEnvironment, walkPage } from './walk-page.ts';

const run = promisify(execFile);

/** An installation of the command: 72 packages and 88 MB were measured, 60 of them the embedded PostgreSQL. */
const MAX_PACKAGES = 75;
const MAX_BYTES = 100_000_000;
const INSTALL_WITHIN_MS = 300_000;

let folder: TemporaryFolder;
let project: string;
let tarballs: readonly string[];
let environment: Readonly<Record<string, string | undefined>>;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  project = join(folder.path, 'project');
  await mkdir(project);
  await writeFile(join(folder.path, 'npmrc'), '');
  environment = cleanEnvironment(join(folder.path, 'npmrc'));
  const workspaces = Object.keys(packageNames).map((each) => `--workspace=${each}`);
  await npm(root, 'pack', '--silent', '--ignore-scripts', `--pack-destination=${folder.path}`, ...workspaces);
  tarballs = (await readdir(folder.path)).filter((name) => name.endsWith('.tgz'));
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  const [nodes, others] = [true, false].map((isNodes) =>
    tarballs.filter((name) => name.startsWith('n8n-') === isNodes).map((name) => `../${name}`),
  );
  await npm(project, 'install', '--engine-strict', ...(others ?? []));
  // Without its peer, n8n-workflow: n8n has it.
  const n8n = join(folder.path, 'n8n');
  await mkdir(n8n);
  await npm(n8n, 'install', '--legacy-peer-deps', '--engine-strict', ...(nodes ?? []));
}, INSTALL_WITHIN_MS);
afterAll(() => folder.remove());

async function npm(cwd: string, ...words: readonly string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--no-update-notifier'];
  await run('npm', [...words, ...quiet], { cwd, env: environment, shell: process.platform === 'win32' });
}

function start(words: readonly string[], more: Readonly<Record<string, string>> = {}): ChildProcess {
  const env = { ...environment, LOG_FORMAT: 'json', ...more };
  return spawn(process.execPath, words, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The first line that it prints. */
async function readLine(child: ChildProcess, beginning = ''): Promise<string> {
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    if (line.startsWith(beginning)) return line;
  }
  throw new Error(`ended before it printed ${beginning}`);
}

/** Writes the first example of the installed README beside the project's package.json, and returns the file. */
async function writeExample(name: string): Promise<string> {
  const page = await readFile(join(project, 'node_modules', name, 'README.md'), 'utf8');
  const [, code] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
  if (code === undefined) throw new Error(`${name} has no example in its README`);
  const file = join(project, `${name.replace('@aftermeet/', '')}.mjs`);
  await writeFile(file, code);
  return file;
}

async function runExample(name: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { ...environment, ...more };
  const { stdout } = await run(process.execPath, [await writeExample(name)], { cwd: project, env });
  return stdout;
}

describe('from the tarballs, in an empty project', () => {
  it('has all packages, and each has its licence', async () => {
    expect(tarballs).toHaveLength(10);
    for (const name of Object.values(packageNames)) {
      const place = name.startsWith('n8n-') ? join(folder.path, 'n8n') : project;
      const licence = await readFile(join(place, 'node_modules', name, 'LICENSE'), 'utf8');
      expect(licence).toContain('MIT License');
    }
  });

  it.each([
    ['@aftermeet/webhooks', '{ ok: true, secretIndex: 0 }'],
    ['@aftermeet/contract', 'recordings.start POST '],
    ['@aftermeet/pages', 'Salt &amp; pepper'],
    ['@aftermeet/sandbox', "{ sandbox: 'aftermeet' }"],
    ['@aftermeet/recipes', 'Acme: renewal: Acme stays for a year'],
    ['@aftermeet/queue', 'embedded:'],
  ])('the first example of %s runs', async (name, printed) => {
    expect(await runExample(name, { QUEUE_URL: `embedded:${join(folder.path, 'queue')}` })).toContain(
      printed,
    );
  });

  it('the first example of the client starts a recording in the sandbox of the command', async () => {
    const sandbox = start(['node_modules/aftermeet/bin/aftermeet.js', 'sandbox', '--port', '0', '--json']);
    try {
      const facts = JSON.parse(await readLine(sandbox, '{')) as Readonly<Record<string, string>>;
      const printed = await runExample('@aftermeet/client', facts);
      expect(printed).toMatch(/^[0-9a-f-]{36} false\n$/);
    } finally {
      sandbox.kill('SIGKILL');
    }
  });

  it('the first example of the receiver answers, and ends when it is asked to', async () => {
    const receiver = start([await writeExample('@aftermeet/receiver')], {
      PORT: '0',
      QUEUE_URL: `embedded:${join(folder.path, 'receiver')}`,
      WEBHOOK_SECRET: '0f3c9a7be1d24c58a6b7c8d9e0f1a2b3',
    });
    const exited = once(receiver, 'exit');
    const url = await readLine(receiver, 'http://');
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(401);
    receiver.stdout?.resume();
    receiver.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});

describe('as a global command', () => {
  let prefix: string;
  beforeAll(async () => {
    prefix = join(folder.path, 'global');
    const tarball = tarballs.find((name) => /^aftermeet-\d/.test(name)) ?? '';
    await npm(folder.path, 'install', '--global', `--prefix=${prefix}`, '--engine-strict', `./${tarball}`);
  }, INSTALL_WITHIN_MS);

  async function aftermeet(...words: readonly string[]): Promise<string> {
    const command = join(prefix, process.platform === 'win32' ? 'aftermeet.cmd' : 'bin/aftermeet');
    const more = { PORT: '0', QUEUE_URL: `embedded:${join(folder.path, 'global-queue')}` };
    const { stdout } = await run(command, words, { cwd: project, env: { ...environment, ...more } });
    return stdout;
  }

  it('brings few packages', async () => {
    const files = await readdir(prefix, { recursive: true });
    const packages = files.filter((file) =>
      /node_modules[/\\](?:@[^/\\]+[/\\])?[^@/\\]+[/\\]package\.json$/.test(file),
    );
    let bytes = 0;
    for (const file of files) bytes += (await lstat(join(prefix, file))).size;
    expect(packages.length).toBeGreaterThan(20);
    expect(packages.length).toBeLessThanOrEqual(MAX_PACKAGES);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('init writes two files and says the next step', async () => {
    expect(await aftermeet('--version')).toBe('0.1.0\n');
    expect(await aftermeet('init', 'meetings')).toContain('cd meetings\n  cp -n .env.example .env\n');
    expect((await readdir(join(project, 'meetings'))).toSorted()).toEqual(['.env.example', 'aftermeet.yaml']);
  });

  it('dev brings a sample meeting everywhere', async () => {
    expect(await aftermeet('dev', '--once')).toContain('Arrived everywhere');
  });

  it("says what a recipe of one's own needs, and takes it", async () => {
    const said = await aftermeet('recipes', 'new', 'customer-note');
    expect(said).toContain('Install what they import: npm install vitest\n');
    const [file = ''] = (await readdir(join(project, 'recipes'))).filter((name) => !name.includes('.test.'));
    const settings = `recipes: { note: { use: ./recipes/${file}, with: { channel: C0123456789 } } }\n`;
    await writeFile(join(project, 'aftermeet.yaml'), settings);
    expect(await aftermeet('recipes', 'check')).toContain('note');
  });
});

// Last: what a page tells to install comes into the project.
describe('a page that leads in, with `npx aftermeet` in a folder of the project', () => {
  const named = pages.map((page) => [[page.file, page.door].filter(Boolean).join('#'), page] as const);

  it.each(named)('%s', { timeout: INSTALL_WITHIN_MS }, async (name, page) => {
    const place = join(project, name.replaceAll(/\W/g, '-'));
    await mkdir(place);
    const packed = ['client', 'webhooks'].map((each) => join(folder.path, `aftermeet-${each}-0.1.0.tgz`));
    const filled = new Map([['@aftermeet/client @aftermeet/webhooks', packed.join(' ')]]);
    await walkPage(page, { folder: place, environment, filled });
  });
});
