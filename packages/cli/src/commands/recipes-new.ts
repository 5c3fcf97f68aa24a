import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { WrongUse } from '../errors.ts';
import { formatJson } from '../terminal/format.ts';
import { cleanLine, quoteWord } from '../terminal/text.ts';
import { writeNewFile } from '../write-new-file.ts';

/** `aftermeet recipes new`: writes a recipe of one's own with its test. */
export function addNewCommand(recipes: Command, context: CommandContext): void {
  recipes
    .command('new')
    .summary('write a recipe of your own, with its test')
    .description(
      'Writes recipes/NAME.ts and recipes/NAME.test.ts beside aftermeet.yaml: a recipe that posts a note to Slack, to be ' +
        'changed into what you need. docs/recipes.md says what it gets and what it can send. TypeScript needs Node 22.18 ' +
        'or newer.',
    )
    .argument('<name>', 'name of the recipe: small letters, digits and hyphens')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet recipes new customer-note')
    .action(async (name: string, { json }: { json?: boolean }) => {
      await checkName(name);
      const folder = join(dirname(resolve(context.configPath() ?? 'aftermeet.yaml')), 'recipes');
      const { writeRecipe, writeTest } = await import('../recipes/new-recipe.ts');
      const ending = runsTypeScript() ? 'ts' : 'mjs';
      const files = [
        { path: join(folder, `${name}.${ending}`), text: writeRecipe(name) },
        { path: join(folder, `${name}.test.${ending}`), text: writeTest(name, ending) },
      ];
      await mkdir(folder, { recursive: true });
      for (const { path, text } of files) await writeNewFile(path, text);
      const written = files.map(({ path }) => path);
      if (json === true) context.write(formatJson({ files: written }));
      else {
        const { findPackageEntry } = await import('../settings/own-code.ts');
        const missing = ['@aftermeet/recipes', 'zod', 'vitest'].filter(
          (each) => findPackageEntry(each, folder) === undefined,
        );
        const install =
          missing.length === 0 ? '' : `Install what they import: npm install ${missing.join(' ')}\n\n`;
        context.write(
          `${written.map((path) => `Written: ${quoteWord(path)}\n`).join('')}\n${install}` +
            `Use it in aftermeet.yaml:\n\nrecipes:\n  ${name}: { use: ./recipes/${name}.${ending}, with: { channel: C0123456789 } }\n\n` +
            'aftermeet recipes check says whether it can run, aftermeet recipes preview <meeting-id> what it would send.\n',
        );
      }
    });
}

function runsTypeScript(): boolean {
  return 'typescript' in process.features && process.features.typescript !== false;
}

async function checkName(name: string): Promise<void> {
  const { listPrebuiltRecipes } = await import('@aftermeet/recipes');
  const isTaken = listPrebuiltRecipes().some(({ id }) => id === name);
  if (/^[a-z][a-z0-9-]{0,60}$/.test(name) && !isTaken) return;
  const expected = isTaken
    ? 'a name that no prebuilt recipe has'
    : 'small letters, digits and hyphens, such as customer-note';
  throw new WrongUse(`The name ${JSON.stringify(cleanLine(name))} can't be used: expected ${expected}.\n`);
}
