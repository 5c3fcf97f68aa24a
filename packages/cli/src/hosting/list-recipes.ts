import { listPrebuiltRecipes, redactOptions } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { loadSettings } from '../settings/load-settings.ts';

/** What `aftermeet recipes list` does. */
export async function listRecipes(
  context: Context,
  options: { readonly json?: boolean; readonly config?: string },
): Promise<void> {
  const { recipes: active } = await loadSettings(context.environment, options.config);
  const prebuilt = listPrebuiltRecipes();
  if (options.json === true) {
    const shown = active.map((recipe) => ({ ...recipe, with: redactOptions(recipe.with) }));
    context.write(`${JSON.stringify({ prebuilt, active: shown }, undefined, 2)}\n`);
    return;
  }
  const width = Math.max(...prebuilt.map((recipe) => recipe.id.length));
  context.write('Prebuilt recipes\n');
  for (const recipe of prebuilt) context.write(`  ${recipe.id.padEnd(width)}  ${recipe.description}\n`);
  context.write('\nOn with these settings\n');
  if (active.length === 0) {
    context.write('  none: set SLACK_BOT_TOKEN and SLACK_CHANNEL, NOTION_TOKEN and NOTION_DATA_SOURCE_ID,\n');
    context.write('  or SMTP_URL and MAIL_FROM\n');
  }
  for (const recipe of active) context.write(`  ${recipe.name.padEnd(width)}  uses ${recipe.use}\n`);
}
