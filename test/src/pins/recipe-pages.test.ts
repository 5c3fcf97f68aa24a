import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { checkConfiguredRecipe, listPrebuiltRecipes } from '@aftermeet/recipes';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { root } from './picture.ts';

const folder = join(root, 'recipes/src/prebuilt');
const ids = listPrebuiltRecipes().map(({ id }) => id);
const mostBytes = 120_000;

const exampleSchema = z.object({
  recipes: z.record(
    z.string(),
    z.object({
      use: z.string(),
      when: z.record(z.string(), z.unknown()).default({}),
      with: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
});

describe('the pages of the recipes', () => {
  it('are those of all recipes and no others', () => {
    const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
    expect(pages.toSorted()).toEqual(ids.map((id) => `${id}.md`).toSorted());
  });

  it.each(ids)('%s has a page with an example, its options and a picture of its message', (id) => {
    const page = readFileSync(join(folder, `${id}.md`), 'utf8');
    expect(page).toMatch(new RegExp(`^# ${id}\n`));
    expect(page).toContain(`use: ${id}\n`);
    expect(page).toContain('<!-- options -->');
    expect(page).toContain(`](../../../docs/pictures/${id}.png)`);
    for (const [, path = ''] of page.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
      const picture = join(folder, path);
      expect(existsSync(picture), `${path} is missing: run npm run pictures`).toBe(true);
      expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
      expect(statSync(picture).size).toBeLessThanOrEqual(mostBytes);
    }
  });

  it.each(ids)('%s has an example that the settings take', (id) => {
    const page = readFileSync(join(folder, `${id}.md`), 'utf8');
    const [, example = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
    // Variables are filled in before.
    const { recipes } = exampleSchema.parse(
      parse(example.replaceAll(/\$\{\w+\}/g, 'a text of 16 characters')),
    );
    for (const [name, recipe] of Object.entries(recipes)) {
      expect(checkConfiguredRecipe({ name, ...recipe })).toEqual([]);
    }
  });
});

it.each([
  ['recipes/customer-note.ts', 30],
  ['destinations/teams.ts', 60],
])('docs/recipes.md shows the tested examples/%s, in at most %i lines', (name, lines) => {
  const page = readFileSync(join(root, 'docs/recipes.md'), 'utf8');
  const file = readFileSync(join(root, 'examples', name), 'utf8');
  expect(page.includes(file) || page.includes(file.replace(/\/\*\* .* \*\/\n/, ''))).toBe(true);
  expect(file.split('\n').length).toBeLessThanOrEqual(lines);
});
