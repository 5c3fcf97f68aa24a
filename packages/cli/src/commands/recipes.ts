import { listPrebuiltRecipes } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { type Context, loadSettings } from '../context.ts';

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
    .action(async (options: { json?: boolean }) => {
      const { recipes: active } = await loadSettings(context, program.opts<{ config?: string }>().config);
      const prebuilt = listPrebuiltRecipes();
      if (options.json === true) {
        context.write(`${JSON.stringify({ prebuilt, active }, undefined, 2)}\n`);
        return;
      }
      const width = Math.max(...prebuilt.map((recipe) => recipe.id.length));
      context.write('Prebuilt recipes\n');
      for (const recipe of prebuilt) context.write(`  ${recipe.id.padEnd(width)}  ${recipe.description}\n`);
      context.write('\nOn with these settings\n');
      if (active.length === 0) {
        context.write(
          '  none: set SLACK_BOT_TOKEN and SLACK_CHANNEL, NOTION_TOKEN and NOTION_DATA_SOURCE_ID,\n',
        );
        context.write('  or SMTP_URL, MAIL_FROM and MAIL_TO\n');
      }
      for (const recipe of active) context.write(`  ${recipe.name.padEnd(width)}  uses ${recipe.use}\n`);
    });
}
