import type { Command } from 'commander';

import type { Context } from '../context.ts';
import type { ToN8nOptions } from '../hosting/recipes-to-n8n.ts';

/** `aftermeet recipes to-n8n`: a recipe as a workflow that n8n imports. */
export function addRecipesToN8nCommand(
  recipes: Command,
  context: Context,
  readConfig: () => { config?: string },
): void {
  recipes
    .command('to-n8n')
    .summary('turn a recipe into an n8n workflow')
    .description(
      'Prints a recipe of these settings as an n8n workflow of core nodes, ready to be imported. It holds no secret: ' +
        'what has to be set in n8n, and what n8n cannot do, stands in its note and on stderr.',
    )
    .argument('[recipe]', 'the name of a recipe; may be left out where there is one')
    .option('--prebuilt <id>', 'a prebuilt recipe as it comes, instead of one of the settings')
    .option('--out <file>', 'write the workflow to this file, which must not be there yet')
    .option('--json', 'print the workflow and the notes as one JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet recipes to-n8n sales-recap --out sales-recap.json\n' +
        '  aftermeet recipes to-n8n --prebuilt notion-page > notion-page.json',
    )
    .action(async (recipe: string | undefined, options: ToN8nOptions) => {
      const { writeN8nWorkflow } = await import('../hosting/recipes-to-n8n.ts');
      await writeN8nWorkflow(context, recipe, { ...options, ...readConfig() });
    });
}
