// Walks a page of the documentation as its reader does: each of its commands in their order, as it stands there, by a shell in
// a folder. What the page leaves to the reader is filled in. A command that the walk does not know is an error.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import { expect } from 'vitest';

import { root } from '../pins/picture.ts';
import { waitFor } from './wait-for.ts';

/** `aftermeet send --wait 60s` itself takes up to a minute. */
const WITHIN_MS = 90_000;

/** One command of a page, and what is seen when it runs. */
export interface Step {
  readonly command: string;
  /** Why it is not run here. */
  readonly notRun?: string;
  /** It needs a package that is not on npm yet; a checkout has it. */
  readonly notInCheckout?: boolean;
  /** Options that the page does not have, such as free ports. */
  readonly more?: string;
  /** A program that goes on running is up once it prints this. */
  readonly until?: RegExp;
  /** What it prints; with `waits` it is asked until it does. */
  readonly sees?: RegExp;
  readonly waits?: boolean;
  /** By the words that later commands have in their place: what is read from the output. */
  readonly take?: Readonly<Record<string, RegExp>>;
  /** What the reader does before, such as filling in a file. */
  readonly before?: (walk: Walk) => Promise<unknown>;
  /** A program that goes on running has printed this after the step, and a program that `ends` has ended well. */
  readonly printed?: { readonly command: string; readonly sees: RegExp; readonly ends?: boolean };
  /** A command of our own that shows what came of it. */
  readonly proof?: { readonly command: string; readonly sees: RegExp };
}

export interface Page {
  readonly file: string;
  /** The part of the page behind this anchor; its commands may also stand in sentences. */
  readonly door?: string;
  readonly steps: readonly Step[];
}

export interface Walk {
  readonly folder: string;
  /** What stands on the page, and what is put in its place. */
  readonly filled: Map<string, string>;
  readonly environment: Place['environment'];
  readonly run: (command: string, until?: RegExp) => Promise<Run>;
  /** What is to be closed. */
  readonly atEnd: (() => unknown)[];
  /** The blocks of code in this language, filled in. */
  readonly blocks: (language: string) => readonly string[];
}

/** Where `npx aftermeet` finds the command. */
export interface Place {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isCheckout?: boolean;
  /** What stands on the page, and what is there in its place. */
  readonly filled?: ReadonlyMap<string, string>;
}

interface Run {
  readonly child: ChildProcess;
  /** Undefined while it runs. */
  readonly code: number | undefined;
  readonly output: string;
}

export async function readPage({ file, door }: Pick<Page, 'file' | 'door'>): Promise<string> {
  const page = await readFile(join(root, file), 'utf8');
  if (door === undefined) return page;
  const [text] = page.split(`<a id="${door}"></a>`)[1]?.split('<a id="') ?? [];
  if (text === undefined) throw new Error(`${file} has no ${door}`);
  return text;
}

/** The lines of its shell blocks without their comments, and the commands in its sentences. */
export function readCommands(text: string, { inSentences }: { readonly inSentences: boolean }): string[] {
  const found =
    /^ *```(\w*)\n([\s\S]*?)^ *```|`((?:[A-Z_]+=\S+ )*(?:npx|npm|node|aftermeet|curl|openssl) [^`\n]+)`/gm;
  return [...text.matchAll(found)].flatMap(([, language, block = '', sentence]) => {
    if (sentence !== undefined) return inSentences ? [sentence] : [];
    if (language !== 'sh') return [];
    const lines = block.split('\n').map((line) => line.replace(/(?:^|\s+)#.*$/, '').trim());
    return lines.filter((line) => line !== '');
  });
}

export async function walkPage(
  page: Page,
  { folder, environment, isCheckout = false, filled = new Map() }: Place,
): Promise<void> {
  const text = await readPage(page);
  const commands = readCommands(text, { inSentences: page.door !== undefined });
  expect(commands, page.file).toEqual(page.steps.map(({ command }) => command));

  const running = new Map<string, Run>();
  const exports: string[] = [];
  const walk: Walk = {
    folder,
    filled: new Map(filled),
    environment,
    atEnd: [],
    run: async (command, until) => {
      const run = start([...exports, command].join('\n'), walk);
      running.set(command, run);
      await waitFor(
        command,
        () => run.code !== undefined || until?.test(run.output) || undefined,
        WITHIN_MS,
      ).catch((error: unknown) => {
        throw new Error(run.output, { cause: error });
      });
      return run;
    },
    blocks: (language) =>
      [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm'))].map(
        ([, code = '']) => fill(code, walk),
      ),
  };
  try {
    for (const step of page.steps) {
      if (step.notRun !== undefined || (step.notInCheckout === true && isCheckout)) continue;
      await step.before?.(walk);
      const command = fill([step.command, step.more ?? ''].join(' ').trim(), walk);
      if (command.startsWith('export ')) exports.push(command);
      const run =
        step.waits === true ? await repeat(command, step.sees, walk) : await walk.run(command, step.until);
      expect(`${run.code} ${command}\n${run.output}`).toMatch(
        step.until === undefined ? /^0 / : /^(?:0|undefined) /,
      );
      if (step.until !== undefined) expect(run.output).toMatch(step.until);
      if (step.sees !== undefined) expect(run.output).toMatch(step.sees);
      for (const [words, pattern] of Object.entries(step.take ?? {})) {
        expect(run.output).toMatch(pattern);
        walk.filled.set(words, pattern.exec(run.output)?.[1] ?? '');
      }
      if (step.proof !== undefined) await repeat(step.proof.command, step.proof.sees, walk);
      if (step.printed !== undefined)
        await seePrinted(step.printed, running.get(fill(step.printed.command, walk)));
    }
  } finally {
    for (const run of [...running.values()].toReversed()) await end(run);
    for (const close of walk.atEnd) close();
  }
}

function fill(text: string, { filled }: Walk): string {
  return [...filled].reduce((before, [words, value]) => before.replaceAll(words, value), text);
}

async function seePrinted({ command, sees, ends }: NonNullable<Step['printed']>, run?: Run): Promise<void> {
  const hasPrinted = (): true | undefined =>
    (run !== undefined && sees.test(run.output) && (ends !== true || run.code !== undefined)) || undefined;
  await waitFor(`${command} prints ${sees}`, hasPrinted, WITHIN_MS).catch((error: unknown) => {
    throw new Error(run?.output, { cause: error });
  });
  if (ends === true) expect(run?.code).toBe(0);
}

function repeat(command: string, sees: RegExp | undefined, walk: Walk): Promise<Run> {
  const ask = async (): Promise<Run | undefined> => {
    const run = await walk.run(command);
    return sees?.test(run.output) === true ? run : undefined;
  };
  return waitFor(`${command} prints ${sees}`, ask, WITHIN_MS);
}

function start(script: string, { folder, environment }: Walk): Run {
  const child = spawn('sh', ['-c', script], {
    cwd: folder,
    env: environment,
    // A family of its own, which is ended as one.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run = { child, code: undefined as number | undefined, output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (run.output += text));
  }
  child.once('close', (code) => (run.code = code ?? -1));
  return run;
}

/** As Ctrl-C does, for the whole family: npx does not pass on a signal to what it started. */
async function end({ child, code }: Run): Promise<void> {
  if (code !== undefined || child.pid === undefined) return;
  const closed = once(child, 'close');
  try {
    process.kill(-child.pid, 'SIGINT');
  } catch {
    // It has just ended.
  }
  await closed;
}

/** Starts a sandbox at free ports, and writes `.env` with the variables that it prints and with these. */
export async function startSandbox(walk: Walk, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const { output } = await walk.run('npx aftermeet sandbox --port 0', /^Ready/m);
  const lines = output.match(/^[A-Z_]+=.*$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(4);
  walk.filled.set('http://127.0.0.1:4010', /^SERVICE_BASE_URL=(.*)$/m.exec(output)?.[1] ?? '');
  const own = Object.entries(more).map(([name, value]) => `${name}=${value}`);
  await writeFile(join(walk.folder, '.env'), `${[...lines, ...own].join('\n')}\n`, { flag: 'a' });
}

/** Of the npm and the vitest that run this process, and settings of the machine. */
const foreign = /^(?:npm_|VITEST|NODE_ENV$|TEST$|AFTERMEET_|SERVICE_|WEBHOOK_|SLACK_|NOTION_|SMTP_|QUEUE_)/i;

/** The variables of this process that lead to the registry and to programs stay, such as certificates. Its Node comes first. */
export function cleanEnvironment(npmrc: string): Readonly<Record<string, string | undefined>> {
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    npm_config_userconfig: npmrc,
    npm_config_prefer_offline: 'true',
  };
}
