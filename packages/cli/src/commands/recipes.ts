import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { addRecipesCheckCommand } from './recipes-check.ts';
import { addRecipesPreviewCommand } from './recipes-preview.ts';
import { addRecipesToN8nCommand } from './recipes-to-n8n.ts';

/** `aftermeet recipes`: what can run, what would run with these settings, and what it would send. */
export function addRecipesCommand(program: Command, context: Context, finish: (code: number) => void): void {
  const recipes = program
    .command('recipes')
    .summary('what is carried where')
    .description('Recipes: what is carried where.');
  const readConfig = () => program.opts<{ config?: string }>();
  addList(recipes, context, readConfig);
  addRecipesCheckCommand(recipes, context, readConfig, finish);
  addRecipesPreviewCommand(recipes, context, readConfig);
  addRecipesToN8nCommand(recipes, context, readConfig);
}

function addList(recipes: Command, context: Context, readConfig: () => { config?: string }): void {
  recipes
    .command('list')
    .summary('the prebuilt recipes, and those that these settings turn on')
    .description(
      'Lists the prebuilt recipes, and below them the ones that run with these settings. Without recipes in ' +
        'aftermeet.yaml, every destination whose variables are set gets its standard recipe.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet recipes list --config aftermeet.yaml')
    .action(async (options: { json?: boolean }) => {
      const { listRecipes } = await import('../hosting/list-recipes.ts');
      await listRecipes(context, { ...options, ...readConfig() });
    });
}
