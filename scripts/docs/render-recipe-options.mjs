// Renders the option tables of the recipe pages, the fields of a body, and the list of recipes, from the recipes themselves. Pure.
import { code, escapeText, renderTable } from './markdown.mjs';

/** Replaces the table of options between `<!-- options -->` and `<!-- /options -->` on the page of a recipe. */
export function renderRecipeOptions(page, recipe) {
  const needed = new Set(recipe.check({}).map(({ setting }) => setting.replace(/^with\./, '')));
  const rows = recipe.options.map(({ name, description }) => [
    code(name) + (needed.has(name) ? ' _required_' : ''),
    escapeText(description),
  ]);
  const table = rows.length === 0 ? 'It has no options.' : renderTable(['option', 'what it does'], rows);
  return fillSection(page, 'options', table, recipe.id);
}

/** Replaces the list between `<!-- recipes -->` and `<!-- /recipes -->` on the page of all recipes. */
export function renderRecipeList(page, recipes) {
  const rows = recipes.map(({ id, description, events }) => [
    `[${id}](src/prebuilt/${id}.md)`,
    escapeText(description),
    events.length === 0 ? 'nothing: it runs on a schedule' : events.map(code).join(', '),
  ]);
  return fillSection(page, 'recipes', renderTable(['recipe', 'what it does', 'takes'], rows), 'the list');
}

/** Replaces a table of fields, such as that between `<!-- fields -->` and `<!-- /fields -->`. */
export function renderBodyFields(page, name, fields) {
  const rows = fields.map(({ path, type, description }) => [code(path), escapeText(type), description]);
  return fillSection(page, name, renderTable(['field', 'type', 'what it is'], rows), 'the fields');
}

function fillSection(page, name, text, what) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${what}: its page has no ${start} with ${end} behind it`);
  return `${before}${start}\n\n${text}\n\n${end}${after}`;
}
