import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { readSettingsFile } from '../../../packages/cli/src/settings/file.ts';
import { checkConfiguredRecipe } from '../../../recipes/src/index.ts';
import { root } from './picture.ts';

const schemaText = readFileSync(join(root, 'docs/aftermeet.schema.json'), 'utf8');
const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(schemaText));
const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true });
const check = ajv.compile(schema);

/** Where the schema finds a fault. */
function listFaults(text: string): readonly string[] {
  check(parse(text));
  return (check.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath }) => instancePath);
}

/** Whether the settings take it, too. */
function isTaken(text: string): boolean {
  const read = readSettingsFile(text, {});
  const recipes = Object.entries(read.values?.recipes ?? {});
  const problems = recipes.flatMap(([name, { use, when = {}, with: options = {} }]) =>
    checkConfiguredRecipe({ name, use, when, with: options }),
  );
  return read.ok && problems.length === 0;
}

const pages = [
  'README.md',
  ...['docs', 'recipes/src/prebuilt'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];

const parts = new Set(['endpoints', 'recipes', 'destinations', 'mail', 'people', 'reconcile']);

/** The examples of aftermeet.yaml in the pages. */
const examples = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/```yaml\n([^]*?)```/g)]
    .map(([, text = '']): readonly [string, string] => [page, text])
    .filter(([, text]) => {
      const value: unknown = parse(text);
      const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
      return names.length > 0 && names.every((name) => parts.has(name));
    }),
);

describe('the JSON Schema of the settings', () => {
  it('takes the example of a company', () => {
    expect(listFaults(readFileSync(join(root, 'examples/company/aftermeet.yaml'), 'utf8'))).toEqual([]);
  });

  it('finds enough examples in the pages', () => {
    expect(examples.length).toBeGreaterThan(20);
  });

  it.each(examples)('takes the examples of %s', (_page, text) => {
    expect(listFaults(text)).toEqual([]);
  });

  it.each([
    ['recipe: {}', ''],
    ['recipes: { a: { with: {} } }', '/recipes/a'],
    ['recipes: { a: { use: slack-recap, with: { chanel: C1 } } }', '/recipes/a/with'],
    ['recipes: { a: { use: slack-recap, with: { sections: some } } }', '/recipes/a/with/sections'],
    ['recipes: { a: { use: email-follow-up, with: { calendar: often } } }', '/recipes/a/with/calendar'],
    ['recipes: { a: { use: slack-recap, when: { titel: x } } }', '/recipes/a/when'],
    [
      'recipes: { a: { use: slack-recap, when: { not: { anyOf: [{ titel: x }] } } } }',
      '/recipes/a/when/not/anyOf/0',
    ],
    ['endpoints: { a: { unsigned: yes } }', '/endpoints/a/unsigned'],
    ['destinations: { slack: { gaps: 1s } }', '/destinations/slack'],
    ['mail: { internal_domain: example.com }', '/mail'],
    ['reconcile: { evry: 1h }', '/reconcile'],
  ])('refuses %s, as the settings do', (text, path) => {
    expect(listFaults(text)).toContain(path);
    expect(isTaken(text)).toBe(false);
  });

  it.each([
    'recipes: { a: { use: ./own.ts, with: { anything: 1 } } }',
    'recipes: { a: { use: slack-recap, with: { channel: "${CHANNEL:-C0123456789}" }, when: { not: { title: "HR*" } } } }',
    'destinations: { teams: { use: ./teams.ts, url: "https://example.com" } }',
    'mail: { internal_domains: EXAMPLE.com }',
    'people: [{ name: Ann Lee, email: ann@example.com, slack: U0123456789 }]',
    'endpoints: { sales: { secrets: ["whsec_0123456789abcdef"], recipes: [a] } }',
  ])('takes %s, as the settings do', (text) => {
    expect(listFaults(text)).toEqual([]);
  });

  it('describes each name', () => {
    const silent: string[] = [];
    const look = (node: unknown, at: string): void => {
      if (Array.isArray(node)) node.forEach((item, index) => look(item, `${at}/${index}`));
      if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'if') continue;
        if (key !== 'properties') {
          look(value, `${at}/${key}`);
          continue;
        }
        for (const [name, property] of Object.entries(z.record(z.string(), z.unknown()).parse(value))) {
          const isDescribed = z.looseObject({ description: z.string() }).safeParse(property).success;
          if (!isDescribed) silent.push(`${at}/${name}`);
          look(property, `${at}/${name}`);
        }
      }
    };
    look(schema, '');
    expect(silent).toEqual([]);
  });
});
