import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { readSettingsFile } from '../../../packages/cli/src/settings/file.ts';
import { findPeopleFile, readPeople } from '../../../packages/cli/src/settings/people.ts';
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
  const problems = recipes.flatMap(([name, { use, when = {}, with: options = {}, approve }]) =>
    checkConfiguredRecipe({ name, use, when, with: options, approve }),
  );
  const people = read.values?.people;
  const isListRight = findPeopleFile(people) !== undefined || readPeople(people).problems.length === 0;
  return read.ok && problems.length === 0 && isListRight;
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

/** Each place in the value that something else can stand at. */
function listPlaces(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, item]) => listPlaces(item, [...at, key]));
  return at.length === 0 ? inner : [at, ...inner];
}

/** The value with something else at the place: another value, or its own one under another name. */
function change(value: unknown, [key = '', ...rest]: readonly string[], put: Slip): unknown {
  const replace = (item: unknown): unknown =>
    rest.length > 0 ? change(item, rest, put) : 'value' in put ? put.value : item;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (String(index) === key ? replace(item) : item));
  }
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, item]: [string, unknown]) => {
      if (name !== key) return [name, item];
      return [rest.length === 0 && 'ending' in put ? name + put.ending : name, replace(item)];
    }),
  );
}

type Slip = { readonly value: unknown } | { readonly ending: string };

const slips: fc.Arbitrary<Slip> = fc.oneof(
  fc.record({
    value: fc.constantFrom(0, 1, -1, 1.5, true, false, null, '', 'x', [], ['x'], [1], {}, { x: 1 }),
  }),
  fc.record({ ending: fc.constantFrom('s', 'x', '_') }),
);

describe('the JSON Schema of the settings', () => {
  const taken = examples.map(([, text]) => text).filter(isTaken);

  it('refuses nothing that the settings take', () => {
    expect(taken.length).toBeGreaterThan(10);
    fc.assert(
      fc.property(fc.constantFrom(...taken), fc.nat(), slips, (text, choice, slip) => {
        const value: unknown = parse(text);
        const places = listPlaces(value);
        const changed = JSON.stringify(change(value, places[choice % places.length] ?? [], slip));
        if (isTaken(changed)) expect(listFaults(changed), changed).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('is named by the first line of the example of a company, which it takes', () => {
    const path = join(root, 'examples/company/aftermeet.yaml');
    const text = readFileSync(path, 'utf8');
    const [, name = ''] = /^# yaml-language-server: \$schema=(.*)\n/.exec(text) ?? [];
    expect(join(dirname(path), name)).toBe(join(root, 'docs/aftermeet.schema.json'));
    expect(listFaults(text)).toEqual([]);
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
