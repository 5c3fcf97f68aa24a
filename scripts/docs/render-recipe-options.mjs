// What the pages of the recipes say of their options, and the list of the recipes, from the recipes themselves. Pure.
import { code, escapeText, renderTable } from './markdown.mjs';

/** The page of one recipe, its table of options written anew between `<!-- options -->` and `<!-- /options -->`. */
export function renderRecipeOptions(page, recipe) {
  const needed = new Set(recipe.check({}).map(({ setting }) => setting.replace(/^with\./, '')));
  const rows = recipe.options.map(({ name, description }) => [
    code(name) + (needed.has(name) ? ' _required_' : ''),
    escapeText(description),
  ]);
  const table = rows.length === 0 ? 'It has no options.' : renderTable(['option', 'what it does'], rows);
  return fillSection(page, 'options', table, recipe.id);
}

/** The page of all recipes, its list written anew between `<!-- recipes -->` and `<!-- /recipes -->`. */
export function renderRecipeList(page, recipes) {
  const rows = recipes.map(({ id, description, events }) => [
    `[${id}](src/prebuilt/${id}/README.md)`,
    escapeText(description),
    events.length === 0 ? 'nothing: it runs by the clock' : events.map(code).join(', '),
  ]);
  return fillSection(page, 'recipes', renderTable(['recipe', 'what it does', 'takes'], rows), 'the list');
}

function fillSection(page, name, text, what) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${what}: its page has no ${start} with ${end} behind it`);
  return `${before}${start}\n\n${text}\n\n${end}${after}`;
}
