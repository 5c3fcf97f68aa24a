import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { createProgram } from '../../../packages/cli/src/program.ts';
import { root } from './picture.ts';

type Command = ReturnType<typeof createProgram>;

const nowhere = { environment: {}, isTerminal: false, write: () => {}, writeError: () => {} };
const program = createProgram({ context: nowhere, asJson: false, finish: () => {} });

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (name) =>
      /^(?:docs|recipes|receiver|packages|nodes)\/|^[A-Z]+\.md$/.test(name) && existsSync(join(root, name)),
  );

/** What a command line names that the program does not have: a command, or an option of it. */
function findUnknown(line: string): string | undefined {
  let command: Command = program;
  let hasOption = false;
  for (const word of line.split(/\s+/).slice(1)) {
    if (/^(?:[|&;<>#]|&&)/.test(word)) break;
    if (word.startsWith('--')) {
      hasOption = true;
      const [name = ''] = word.split(/[=,.:;)]/);
      // As the help has it: `sandbox` shows the options of what it runs.
      const isKnown = [command, program].some((one) => one.helpInformation().includes(name));
      if (!isKnown && name !== '--help' && name !== '--json') return `${command.name()} ${name}`;
      continue;
    }
    // What follows may be the value of an option.
    if (hasOption) continue;
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined && command.commands.length > 0 && /^[a-z]/.test(word)) return word;
    if (next === undefined) continue;
    command = next;
  }
  return undefined;
}

it.each(pages)('%s names commands and options that exist', (name) => {
  const text = readFileSync(join(root, name), 'utf8');
  const inBlocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].flatMap(([, code = '']) =>
    code.split('\n'),
  );
  const inLines = [...text.matchAll(/`((?:npx )?aftermeet [^`\n]+)`/g)].map(([, code = '']) => code);
  const lines = [...inBlocks, ...inLines]
    .map((line) => /(?:^|[;&|(] ?|\bnpx )(aftermeet .*)$/.exec(line.trim())?.[1])
    .filter((line) => line !== undefined);
  expect(lines.map(findUnknown).filter((unknown) => unknown !== undefined)).toEqual([]);
});

it('an unknown command and an unknown option are found', () => {
  expect(findUnknown('aftermeet effects lost')).toBe('lost');
  expect(findUnknown('aftermeet effects list --lost')).toBe('list --lost');
  expect(findUnknown('aftermeet effects list --state sent')).toBeUndefined();
});

/** Of other programs. */
const foreign = /^(?:N8N_|NODE_|NODES_|XDG_|POSTGRES_PASSWORD$|WEBHOOK_URL$|FORCE_COLOR$)/;

it('every environment variable that a page names is read somewhere', () => {
  const names = new Set(
    pages.flatMap((name) =>
      [
        ...readFileSync(join(root, name), 'utf8').matchAll(/`([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)(?:=[^`\n]*)?`/g),
      ].flatMap(([, variable = '']) => (foreign.test(variable) ? [] : [variable])),
    ),
  );
  expect(names.size).toBeGreaterThan(30);
  const code = ['packages/*.ts', 'receiver/*.ts', 'recipes/*.ts', 'test/src/*.ts', 'deploy'];
  const unknown = [...names].filter((variable) => {
    // `ADMIN_TOKEN_FILE`: every secret can come from a file.
    const [name = ''] = variable.split('_FILE');
    return spawnSync('git', ['grep', '-qw', name, '--', ...code], { cwd: root }).status !== 0;
  });
  expect(unknown).toEqual([]);
});
