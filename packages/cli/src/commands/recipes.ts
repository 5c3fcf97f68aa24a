import type { Command } from 'commander';

import type { Context } from '../context.ts';

/** `aftermeet recipes list`: what can run, and what would run with these settings. */
export function addRecipesCommand(program: Command, context: Context): void {
  const recipes = program
    .command('recipes')
    .summary('what is carried where')
    .description('Recipes: what is carried where.');
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
      await listRecipes(context, { ...options, ...program.opts<{ config?: string }>() });
    });
}
