import type { Command } from 'commander';

import type { Context } from '../context.ts';

/** `aftermeet recipes check`: what each recipe does, in plain words. */
export function addRecipesCheckCommand(
  recipes: Command,
  context: Context,
  readConfig: () => { config?: string },
  finish: (code: number) => void,
): void {
  recipes
    .command('check')
    .summary('validate the settings file and explain each recipe')
    .description(
      'Says of each recipe of these settings when it runs, which endpoints make it run, where it goes and with which ' +
        'options, and points out what looks odd, such as two recipes that send the same to the same place. Nobody is ' +
        'asked: aftermeet doctor asks the destinations. The exit code is 1 when a recipe can not run, 2 when the ' +
        'settings can not be read.',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet recipes check\n' +
        '  aftermeet recipes check --config aftermeet.yaml --json',
    )
    .action(async (options: { json?: boolean }) => {
      const { checkRecipes } = await import('../recipes/check-recipes.ts');
      await checkRecipes(context, { ...options, ...readConfig() }, finish);
    });
}
