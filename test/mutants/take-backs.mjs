// `npm run take-backs`: takes back one correction at a time of those that make a text arrive as it was said, and runs the property of
// `test/src/messages/meaning.property.test.ts`, which must fail each time. Exit code 1 when it does not notice one. About a minute.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeReady } from '../../scripts/make-ready.mjs';

const root = join(import.meta.dirname, '..', '..');
const parseText = 'recipes/src/report/parse-text.ts';
const markdown = 'recipes/src/report/markdown.ts';

/** What each correction is, its file, and the edits that take it back. */
const takeBacks = [
  {
    name: 'a number that does not count up stays what it is',
    file: parseText,
    edits: [
      ['const isCounted = isFirst', 'const isCounted = true || isFirst'],
      ['list.start + list.children.length === value', 'true'],
      ['isOrdinal({ item, number })', 'false'],
    ],
  },
  {
    name: 'an interrupted list keeps its numbers',
    file: parseText,
    edits: [['...(value === 1 ? {} : { start: value })', '']],
  },
  {
    name: 'Notion counts only what it counts right',
    file: 'recipes/src/destinations/notion/blocks.ts',
    edits: [['const isNumberedByNotion =', 'const isNumberedByNotion = true ||']],
  },
  {
    name: 'Slack counts only what it counts right',
    file: 'recipes/src/destinations/slack/rich-text.ts',
    edits: [['const isNumberedBySlack =', 'const isNumberedBySlack = true ||']],
  },
  {
    name: 'in tasks a number is a bullet only where lines count up',
    file: 'packages/client/src/report/list-lines.ts',
    edits: [['if (!isNext || followsOrdinal(rest)) return undefined;', '']],
  },
  {
    name: 'a comparison keeps its sign',
    file: 'recipes/src/report/prepare-lines.ts',
    edits: [['if (!suspicious.test(text) ||', 'if (true ||']],
  },
  {
    name: '2*3*4 is a product',
    file: markdown,
    edits: [['if (src.charCodeAt(pos) !== 0x2a ||', 'if (true ||']],
  },
  {
    name: 'a name may contain an @',
    file: 'recipes/src/report/people.ts',
    edits: [["name.includes('@') ?", "name.includes('@') ? '' : name.includes('@') ?"]],
  },
  {
    name: 'an address ends where East Asian text begins',
    file: markdown,
    edits: [['if (end === -1) return', 'if (true) return']],
  },
  {
    name: 'marks stand beside East Asian punctuation',
    file: markdown,
    edits: [['markdownIt.use(keepMarksBesideCjk);', '']],
  },
];

makeReady();
let unnoticed = 0;
if (runProperty('package.json', []) !== 0) throw new Error('the property fails without any edit');
for (const { name, file, edits } of takeBacks) {
  const source = readFileSync(join(root, file), 'utf8');
  for (const [find = ''] of edits) {
    if (source.split(find).length !== 2)
      throw new Error(`${file} does not have "${find}" once: correct this file`);
  }
  const status = runProperty(file, edits);
  if (status === 0) unnoticed += 1;
  process.stdout.write(`${status === 0 ? 'not noticed' : 'noticed    '}  ${name}\n`);
}
process.exitCode = unnoticed === 0 ? 0 : 1;

/** The exit code of the property with these edits: 0 or 1; anything else is no answer. */
function runProperty(file, edits) {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutants/take-backs.config.mjs'],
    {
      cwd: root,
      stdio: 'ignore',
      timeout: 120_000,
      env: { ...process.env, AFTERMEET_TEST: 'all', AFTERMEET_TAKE_BACK: JSON.stringify({ file, edits }) },
    },
  );
  if (status !== 0 && status !== 1) throw new Error(`the property was not run to its end: ${String(status)}`);
  return status;
}
