// `node scripts/generate-docs.mjs`: writes docs/operations.md and docs/openapi.json from the table of operations,
// docs/aftermeet.schema.json from the schemas of the settings, and
// what the pages of the recipes say of their options and of the JSON that http-forward sends, and regions of examples/.
// With `--check` it writes nothing and fails when one of them is not what it would write.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { includeExamples } from './docs/include-examples.mjs';
import { renderOperations } from './docs/render-operations.mjs';
import { renderBodyFields, renderRecipeList, renderRecipeOptions } from './docs/render-recipe-options.mjs';
import { makeReady, root } from './make-ready.mjs';

const words = process.argv.slice(2);
if (words.some((word) => word !== '--check')) {
  process.stderr.write(`Unknown option: generate-docs.mjs takes --check or nothing.\n`);
  process.exit(2);
}

makeReady();
// Only now: in a fresh clone there is nothing to import before.
const [
  contract,
  { describeFields, describeOpenApi, listAnswers },
  { operationMethods },
  { operationCommands },
  { describeFailedBody, describeMeetingBody, listPrebuiltRecipes },
  { format },
] = await Promise.all(
  [
    '@aftermeet/contract',
    '@aftermeet/contract/openapi',
    '@aftermeet/client',
    '../packages/cli/dist/service/operations.js',
    '@aftermeet/recipes',
    'oxfmt',
  ].map((name) => import(name)),
);

const files = {
  'docs/operations.md': renderOperations({
    contract,
    describeFields,
    listAnswers,
    methods: operationMethods,
    commands: operationCommands,
  }),
  'docs/openapi.json': JSON.stringify(describeOpenApi(), undefined, 2),
  'docs/aftermeet.schema.json': runAftermeet('config', 'schema'),
  'recipes/README.md': renderRecipeList(readPage('recipes/README.md'), listPrebuiltRecipes()),
};
for (const recipe of listPrebuiltRecipes()) {
  const name = `recipes/src/prebuilt/${recipe.id}.md`;
  files[name] = renderRecipeOptions(readPage(name), recipe);
}
const forward = 'recipes/src/prebuilt/http-forward.md';
files[forward] = renderBodyFields(files[forward], 'fields', describeMeetingBody());
files[forward] = renderBodyFields(files[forward], 'failed fields', describeFailedBody());

for (const name of ['README.md', 'docs/first-steps.md']) {
  files[name] = includeExamples(readPage(name), root);
}

const { ignorePatterns: _paths, ...style } = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'));

let isStale = false;
for (const [name, text] of Object.entries(files)) {
  const { code, errors } = await format(name, text, style);
  if (errors.length > 0) throw new Error(`${name} cannot be formatted: ${errors[0].message}`);
  const path = join(root, name);
  if (existsSync(path) && readFileSync(path, 'utf8') === code) continue;
  if (words.includes('--check')) {
    isStale = true;
    process.stderr.write(`${name} is stale: run node scripts/generate-docs.mjs\n`);
  } else {
    writeFileSync(path, code);
    process.stderr.write(`wrote ${name}\n`);
  }
}
process.exitCode = isStale ? 1 : 0;

/** What people have written on a page, with what was generated into it the last time. */
function readPage(name) {
  return readFileSync(join(root, name), 'utf8');
}

function runAftermeet(...command) {
  const program = join(root, 'packages', 'cli', 'bin', 'aftermeet.js');
  return execFileSync(process.execPath, [program, ...command], { encoding: 'utf8' });
}
