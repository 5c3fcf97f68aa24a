import type { ConfiguredRecipe } from '@aftermeet/recipes';
import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { WrongUse, wrongSettings } from '../errors.ts';
import type { Settings } from '../settings/settings.ts';
import { formatItems, formatJson } from '../terminal/format.ts';
import { writeNewFile } from '../write-new-file.ts';
import { addCheckCommand } from './recipes-check.ts';
import { addNewCommand } from './recipes-new.ts';
import { addPreviewCommand } from './recipes-preview.ts';
import { addRunCommand } from './recipes-run.ts';
import { addTestCommand } from './recipes-test.ts';

/** `aftermeet recipes`: lists, checks, previews, tests, runs and exports recipes. */
export function addRecipesCommand(program: Command, context: CommandContext): void {
  const recipes = program
    .command('recipes')
    .summary('check, preview, test, run and export recipes')
    .description('Lists, checks, previews, tests, runs and exports recipes.');
  addListCommand(recipes, context);
  addCheckCommand(recipes, context);
  addPreviewCommand(recipes, context);
  addTestCommand(recipes, context);
  addRunCommand(recipes, context);
  addNewCommand(recipes, context);
  addToN8nCommand(recipes, context);
}

function addListCommand(recipes: Command, context: CommandContext): void {
  recipes
    .command('list')
    .summary('list the prebuilt recipes and those of these settings')
    .description(
      'Lists the prebuilt recipes, then those that run with these settings. Without recipes in aftermeet.yaml, ' +
        'every destination whose variables are set gets its standard recipe.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet recipes list --config aftermeet.yaml')
    .action(async ({ json }: { json?: boolean }) => {
      const { loadSettings } = await import('../settings/load.ts');
      const { listPrebuiltRecipes, redactOptions } = await import('@aftermeet/recipes');
      const { recipes: active } = await loadSettings(context.environment, context.configPath());
      const prebuilt = listPrebuiltRecipes();
      if (json === true) {
        const shown = active.map(({ name, use, when, with: values }) => ({
          name,
          use,
          when,
          with: redactOptions(values),
        }));
        const known = prebuilt.map(({ id, description }) => ({ id, description }));
        context.write(formatItems(shown, { prebuilt: known }));
        return;
      }
      const width = Math.max(...prebuilt.map(({ id }) => id.length));
      const none =
        '  none: set SLACK_BOT_TOKEN and SLACK_CHANNEL, NOTION_TOKEN and NOTION_DATA_SOURCE_ID,\n' +
        '  or SMTP_URL and MAIL_FROM\n';
      context.write(
        'Prebuilt recipes\n' +
          prebuilt.map(({ id, description }) => `  ${id.padEnd(width)}  ${description}\n`).join('') +
          '\nRecipes of these settings\n' +
          (active.length === 0 ? none : '') +
          active.map(({ name, use }) => `  ${name.padEnd(width)}  uses ${use}\n`).join(''),
      );
    });
}

interface ToN8nOptions {
  readonly prebuilt?: string;
  readonly out?: string;
  readonly json?: boolean;
}

function addToN8nCommand(recipes: Command, context: CommandContext): void {
  recipes
    .command('to-n8n')
    .summary('turn a recipe into an n8n workflow')
    .description(
      "Prints a recipe of these settings as an n8n workflow of Aftermeet's nodes, ready to import. It contains no " +
        'secrets; its note and stderr list what to set in n8n and what n8n cannot do.',
    )
    .argument('[recipe]', 'name of a recipe; optional if there is only one')
    .option('--prebuilt <id>', 'a prebuilt recipe with its defaults, instead of one of the settings')
    .option('--out <file>', 'write the workflow to this new file')
    .option('--json', 'print the workflow and the notes as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet recipes to-n8n sales-recap --out sales-recap.json\n' +
        '  aftermeet recipes to-n8n --prebuilt notion-page > notion-page.json',
    )
    .action(async (name: string | undefined, options: ToN8nOptions) => {
      const { prebuilt, json = false, out } = options;
      if (json && out !== undefined) throw new WrongUse('--json prints everything: leave out --out.\n');
      const { loadSettings } = await import('../settings/load.ts');
      const { checkConfiguredRecipe, recipesWithWorkflow, toN8nWorkflow } =
        await import('@aftermeet/recipes');
      const settings = await loadSettings(context.environment, context.configPath());
      const recipe = await chooseRecipe(settings, name, prebuilt);
      const problems = checkConfiguredRecipe(recipe);
      // A prebuilt recipe may lack options that only its user knows: the workflow has examples for them.
      if (prebuilt === undefined && problems.length > 0) throw wrongSettings(problems);
      const made = toN8nWorkflow(recipe, settings.destinations);
      if (made === undefined) {
        throw new WrongUse(
          `No n8n workflow is shipped for ${recipe.use}; there is one for ${recipesWithWorkflow.join(', ')}. ` +
            'docs/n8n.md shows how http-forward sends events to a workflow of your own.\n',
        );
      }
      if (json) {
        context.write(formatJson(made));
        return;
      }
      const workflow = `${JSON.stringify(made.workflow, undefined, 2)}\n`;
      const notes = made.notes.map((note) => `- ${note}\n`).join('');
      if (out === undefined) {
        context.writeData(workflow);
        context.writeError(notes);
      } else {
        await writeNewFile(out, workflow);
        context.write(`Wrote ${out}. Import it into n8n, and read its note.\n${notes}`);
      }
    });
}

async function chooseRecipe(
  { recipes }: Settings,
  name: string | undefined,
  prebuilt: string | undefined,
): Promise<ConfiguredRecipe> {
  const { suggestName } = await import('@aftermeet/contract');
  if (prebuilt !== undefined) {
    if (name !== undefined) throw new WrongUse('Name a recipe or --prebuilt, not both.\n');
    const { listPrebuiltRecipes } = await import('@aftermeet/recipes');
    const ids = listPrebuiltRecipes().map(({ id }) => id);
    if (ids.includes(prebuilt)) return { name: prebuilt, use: prebuilt, when: {}, with: {} };
    throw new WrongUse(`There is no prebuilt recipe of that name; expected ${suggestName(prebuilt, ids)}.\n`);
  }
  const names = recipes.map((recipe) => recipe.name);
  const [only] = recipes;
  const found =
    name === undefined && names.length === 1 ? only : recipes.find((recipe) => recipe.name === name);
  if (found !== undefined) return found;
  if (names.length === 0) {
    throw new WrongUse(
      'These settings have no recipes; use --prebuilt with an id that aftermeet recipes list shows.\n',
    );
  }
  const expected = name === undefined ? `one of ${names.join(', ')}` : suggestName(name, names);
  throw new WrongUse(`Which recipe? Expected ${expected}.\n`);
}
