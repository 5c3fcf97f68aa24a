import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import stringWidth from 'string-width';
import { beforeAll, expect, it } from 'vitest';

import { listCommands, readCommandTree } from './completion/command-tree.ts';
import { createProgram } from './program.ts';
import { makeFolder, startSandbox } from './testing/for-the-file.ts';
import { runAftermeet } from './testing/run-aftermeet.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 30);

const nowhere = { environment: {}, isTerminal: false, write: () => {}, writeError: () => {} };
const program = createProgram({ context: nowhere, asJson: false, finish: () => {} });
const commands = listCommands(readCommandTree(program, {})).filter(({ name }) => name !== 'help');

const folder = makeFolder();
const { url } = await startSandbox({ clock: () => NOW_MS, seed: 1 });
const environment = {
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: 'sandbox_key',
  XDG_STATE_HOME: folder,
  QUEUE_URL: `embedded:${join(folder, 'queue')}`,
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_CHANNEL: 'C0MEETINGS',
  FORCE_COLOR: '0',
};

beforeAll(async () => {
  const seed = ['sandbox', 'seed', '--meetings', '3', '--languages', 'en', '--seed', '7', '--url', url];
  await runAftermeet(seed, { environment });
  const fault = ['sandbox', 'faults', 'add', 'status', '--status', '429', '--on', 'templates.list'];
  await runAftermeet([...fault, '--after', '1000000', '--url', url], { environment });
});

/** What a command prints on a terminal of this width, without what differs from run to run. */
async function show(words: readonly string[], width: number): Promise<string> {
  const terminal = { isTerminal: true, isErrorTerminal: true, columns: () => width };
  const { stdout, stderr } = await runAftermeet(words, { environment, clock: () => NOW_MS, ...terminal });
  return stripVTControlCharacters(stdout + stderr).replaceAll(url, 'http://127.0.0.1:4010');
}

/** One word that is wider than the terminal, such as an address, stays whole. */
function listWideLines(text: string, width: number): readonly string[] {
  return text.split('\n').filter((line) => stringWidth(line) > width && /\S\s+\S/.test(line.trim()));
}

const outputs: readonly (readonly string[])[] = [
  ['search'],
  ['templates'],
  ['tags', 'list'],
  ['mcp', 'tools'],
  ['recipes', 'list'],
  ['recipes', 'check'],
  ['sandbox', 'meetings'],
  ['sandbox', 'deliveries'],
  ['sandbox', 'faults', 'list'],
  ['report', 'get', 'no-such-meeting'],
  ['no-such-command'],
];

/** The sandbox is named by its address. */
function address(words: readonly string[]): readonly string[] {
  return words[0] === 'sandbox' ? [...words, '--url', url] : words;
}

/** The words alone: a line may end between any two of them, in a command with a backslash. */
const readWords = (text: string): string => text.replaceAll(/(?: \\)?\s+/g, ' ');

it('every help text fits its terminal, and says the same on each', async () => {
  const texts = [];
  for (const { path } of commands) {
    const help = [...path.split(' ').slice(1), '--help'];
    const [narrow, usual, wide] = [await show(help, 60), await show(help, 80), await show(help, 120)];
    expect(listWideLines(narrow, 60), path).toEqual([]);
    expect(listWideLines(usual, 80), path).toEqual([]);
    expect(listWideLines(wide, 120), path).toEqual([]);
    expect([readWords(narrow), readWords(wide)], path).toEqual([readWords(usual), readWords(usual)]);
    if (path === 'aftermeet record') {
      expect([narrow, usual, wide].map((text) => text.split('\n').length)).toEqual([69, 46, 35]);
    }
    texts.push(`$ ${path} --help\n${usual}`);
  }
  await expect(texts.join('\n')).toMatchFileSnapshot('./__snapshots__/help-80.txt');
});

it.each([60, 80, 120])('the usual outputs fit on a terminal of %d columns', async (width) => {
  const texts = [];
  for (const words of outputs) {
    const text = `$ aftermeet ${words.join(' ')}\n${await show(address(words), width)}`;
    expect(listWideLines(text, width), words.join(' ')).toEqual([]);
    texts.push(text);
  }
  await expect(texts.join('\n')).toMatchFileSnapshot(`./__snapshots__/output-${width}.txt`);
});

/** Runs until it is stopped, is checked where it is started, or prints no JSON of its own. */
const hosted = ['dev', 'sandbox', 'receiver', 'worker', 'sandbox run', 'config schema', 'completion'];

/** What each command needs to print its JSON, a failure included. */
const lines: Readonly<Record<string, readonly string[]>> = {
  // A file, where no folder can be made.
  init: [import.meta.filename],
  record: ['https://meet.example/a'],
  status: ['m_1'],
  stop: ['m_1'],
  cancel: ['m_1'],
  upload: ['missing.mp3'],
  'report get': ['m_1'],
  'report generate': ['m_1', 'team-sync'],
  'report edit': ['m_1', '--template-id', 't_1', '--block', 'summary', '--text', 'x'],
  export: ['m_1', '--format', 'md'],
  'tags create': ['Sales'],
  'tags attach': ['m_1', 'Sales'],
  'tags detach': ['m_1', 'Sales'],
  'mcp call': ['search_meetings'],
  send: ['http://127.0.0.1:1/hooks/default', '--unsigned'],
  'recipes preview': ['m_1'],
  'recipes test': ['slack-recap'],
  'recipes run': ['slack-recap'],
  'recipes new': ['Wrong Name'],
  'people import': ['slack'],
  'meetings show': ['m_1'],
  'deliveries show': ['3f2a9c01be77'],
  'deliveries replay': ['--since', '1d'],
  'effects show': ['62d25587d909'],
  'effects retry': ['--failed'],
  'effects resend': ['62d25587d909'],
  'effects recall': ['62d25587d909'],
  'effects settle': ['62d25587d909', '--sent'],
  'effects dismiss': ['62d25587d909', '--reason', 'gone'],
  'effects cancel': ['--all'],
  'approvals show': ['62d25587d909'],
  'approvals approve': ['--all'],
  'approvals discard': ['--all'],
  resume: ['slack'],
  'suppress add': ['ann@example.com'],
  'suppress remove': ['ann@example.com'],
  forget: ['m_1'],
  backup: [import.meta.dirname],
  restore: ['no-such-backup'],
  'sandbox complete': ['m_1'],
  'sandbox fail': ['m_1'],
  'sandbox announce': ['m_1', 'meeting.started'],
  'sandbox redeliver': ['d_1'],
  'sandbox faults add': ['latency', '--ms', '1'],
  'sandbox faults remove': ['fault-9'],
  'sandbox advance': ['1s'],
};

it('--json is one object in one shape, of every command that has it', async () => {
  const paths = commands
    .filter(({ options }) => options.some(({ flags }) => flags.includes('--json')))
    .map(({ path }) => path.split(' ').slice(1).join(' '))
    .filter((path) => !hosted.includes(path));
  expect(paths.length).toBeGreaterThan(50);
  for (const path of paths) {
    const words = address([...path.split(' '), ...(lines[path] ?? [])]);
    // runAftermeet holds what is printed against the schema.
    const run = await runAftermeet([...words, '--json'], { environment, clock: () => NOW_MS });
    const printed = run.code === 0 ? run.stdout : run.stdout + run.stderr;
    expect(printed, `${path}: ${run.stderr}`).toMatch(/^\{/);
  }
}, 120_000);
