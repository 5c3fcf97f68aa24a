import { writeFile } from 'node:fs/promises';

import { suggestName } from '@aftermeet/contract';
import { isCode } from '@aftermeet/queue';
import {
  checkConfiguredRecipe,
  type ConfiguredRecipe,
  listPrebuiltRecipes,
  toN8nWorkflow,
} from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { WrongUse, wrongSettings } from '../wrong-use.ts';

export interface ToN8nOptions {
  readonly prebuilt?: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly config?: string;
}

/** What `aftermeet recipes to-n8n` does. Throws `WrongUse` where it is not clear which recipe is meant. */
export async function writeN8nWorkflow(
  context: Context,
  name: string | undefined,
  options: ToN8nOptions,
): Promise<void> {
  const { json = false, out } = options;
  if (json && out !== undefined) throw new WrongUse('--json prints everything: leave out --out.\n');
  const settings = await loadSettings(context.environment, options.config);
  const recipe = chooseRecipe(settings, name, options.prebuilt);
  const problems = checkConfiguredRecipe(recipe);
  // A prebuilt recipe as it comes may lack what only its user knows: the workflow has examples in its place.
  if (options.prebuilt === undefined && problems.length > 0) throw wrongSettings(problems);
  const made = toN8nWorkflow(recipe, describeInstallation(settings));
  if (made === undefined) throw new WrongUse(`There is no n8n workflow for the recipe ${recipe.use}.\n`);
  if (json) {
    context.write(`${JSON.stringify(made, undefined, 2)}\n`);
    return;
  }
  const text = `${JSON.stringify(made.workflow, undefined, 2)}\n`;
  if (out === undefined) context.write(text);
  else await save(out, text);
  const tell = out === undefined ? context.writeError : context.write;
  if (out !== undefined) tell(`Wrote ${out}. Import it into n8n, and read the note in it.\n`);
  for (const note of made.notes) tell(`- ${note}\n`);
}

function chooseRecipe(
  { recipes }: Settings,
  name: string | undefined,
  prebuilt: string | undefined,
): ConfiguredRecipe {
  if (prebuilt !== undefined) {
    if (name !== undefined) throw new WrongUse('Name a recipe or --prebuilt, not both.\n');
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
      'These settings turn no recipe on; use --prebuilt with an id that recipes list shows.\n',
    );
  }
  const expected = name === undefined ? `one of ${names.join(', ')}` : suggestName(name, names);
  throw new WrongUse(`Which recipe? Expected ${expected}.\n`);
}

function describeInstallation({ service, headerPrefix, toleranceSeconds, destinations }: Settings) {
  return {
    ...(service === undefined ? {} : { serviceUrl: service.baseUrl }),
    headerPrefix,
    toleranceSeconds,
    destinations,
  };
}

async function save(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    const why = isCode(error, 'EEXIST') ? 'it is there already' : 'the folder must be there and writable';
    throw new WrongUse(`The file ${path} can't be written: ${why}.\n`);
  }
}
