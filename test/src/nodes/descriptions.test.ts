import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { listFields, type ListedField, listOperations } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { listLabels } from '../../../nodes/nodes/Aftermeet/actions/fields.ts';
import type { OperationDescription } from '../../../nodes/nodes/Aftermeet/actions/node-operation.ts';
import { describeActions, resources } from '../../../nodes/nodes/Aftermeet/actions/router.ts';
import { listSearch } from '../../../nodes/nodes/Aftermeet/methods/list-search.ts';
import { root } from '../pins/picture.ts';
import { listChoices, listProperties, type PlacedProperty } from './support/list-properties.ts';

const folder = join(root, 'nodes/nodes/Aftermeet');

/** One sentence without a full stop, or several with one at the end of each: n8n's own rule. */
const sentences = /^[A-Z\d](?:(?!\. [A-Z]).)*[^.\s]$|^[A-Z\d].*\. [A-Z].*\.$/;

/** The sources in a folder; those of its subfolders only where it is said. */
function readSources(path: string, recursive = false): string {
  return readdirSync(path, { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(path, name), 'utf8'))
    .join('\n');
}

const shared = readSources(join(folder, 'actions'));
const ofResources = readdirSync(join(folder, 'actions'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => readSources(join(folder, 'actions', name), true));

/** Where the parameters of a resource are read: in its folder, whose index names it, and in what all share. */
function findSources(resource: string): string {
  return [...ofResources.filter((text) => text.includes(`value: '${resource}',\n  name: `)), shared].join(
    '\n',
  );
}

const operations = resources.flatMap((resource) =>
  resource.operations.map(({ description }) => ({
    label: `${resource.name}: ${description.name}`,
    description,
    sources: findSources(resource.value),
  })),
);

function listSentFields({ sends }: OperationDescription): readonly (readonly [string, ListedField])[] {
  const sent = listOperations().find(({ id }) => id === sends);
  return sent === undefined ? [] : listFields(sent).map((field) => [field.name, field] as const);
}

/** Which parameter fills a field, where one does. */
function findProperty(description: OperationDescription, field: string): PlacedProperty | undefined {
  const path = description.parameters[field];
  return listProperties(description.properties).find((placed) => placed.path === path);
}

/** Whether the sources read a parameter: by its name in quotes that do not describe it, or out of its collection. */
function isRead(path: string, sources: string): boolean {
  const [first = '', ...rest] = path.split('.');
  const names = [path, ...rest.slice(-1)].map((name) => name.replaceAll('.', String.raw`\.`));
  const quoted = names.map((name) => String.raw`(?<!\b(?:name|value): )['"\x60]${name}(?:\.[\w.]+)?['"\x60]`);
  const member = rest.length === 0 ? [] : [String.raw`(?:[{,]\s*|\.)${rest.at(-1) ?? first}\b(?!: ')`];
  return new RegExp([...quoted, ...member].join('|')).test(sources);
}

/** As n8n's linter orders lists: by name, without case, from five entries on. */
const LIST_LENGTH = 5;

function sortNames(names: readonly string[]): readonly string[] {
  return names.toSorted((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' }));
}

/** Fields that no parameter fills, and why. */
const leftOut: ReadonlyMap<string, readonly string[]> = new Map([
  // The service does not say which values there are.
  ['meetings.search', ['scope']],
]);

describe('the operations of the node', () => {
  it('send every operation of the service', () => {
    const sent = new Set<string | undefined>(operations.map(({ description }) => description.sends));
    expect(listOperations().filter(({ id }) => !sent.has(id))).toEqual([]);
  });

  // Their order: verification.test.ts.
  it('have names and values of their own', () => {
    expect(new Set(resources.map(({ value }) => value)).size).toBe(resources.length);
    for (const { name: resource, usual, operations: own } of resources) {
      const values = own.map(({ description }) => description.value);
      const names = own.map(({ description }) => description.name);
      expect(new Set(values).size, resource).toBe(values.length);
      expect(new Set(names).size, resource).toBe(names.length);
      expect(values, resource).toContain(usual);
    }
  });

  it('are all in the list that n8n shows, with the parameters of each where it is chosen', () => {
    const properties = describeActions(resources, 'recording');
    expect(properties[0]).toMatchObject({ name: 'resource', noDataExpression: true });
    for (const { value: resource, operations: own } of resources) {
      for (const { description } of own) {
        const shown = properties.filter(({ displayOptions }) => {
          const show = displayOptions?.show;
          return (
            show?.['resource']?.includes(resource) === true &&
            show['operation']?.includes(description.value) === true
          );
        });
        expect(shown.map(({ name }) => name)).toEqual([
          ...description.properties.map(({ name }) => name),
          'requestOptions',
        ]);
      }
    }
  });
});

describe.each(operations)('$label', ({ description, sources }) => {
  const placed = listProperties(description.properties);
  const paths = placed.map(({ path }) => path);
  const filled = Object.keys(description.filled ?? {});

  it('fills every field of the operation that it sends, from a parameter or itself, and no other', () => {
    if (description.sends === undefined) return;
    // A field may be both: a parameter, and what the node takes where that is empty.
    const given = new Set([...Object.keys(description.parameters), ...filled]);
    const names = listSentFields(description).map(([name]) => name);
    expect([...given, ...(leftOut.get(description.sends) ?? [])].toSorted()).toEqual(names.toSorted());
  });

  it('names only parameters that it has, and has a label for each', () => {
    expect([...listLabels(description).keys()]).toEqual(Object.keys(description.parameters));
    expect(Object.values(description.parameters).filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('asks for what the operation must have', () => {
    const required = listSentFields(description).filter(
      ([name, field]) => field.required && !filled.includes(name),
    );
    for (const [name, field] of required) {
      const property = findProperty(description, name);
      expect(property?.path.includes('.'), `${name} is in a collection`).toBe(false);
      // A flag and a choice have a value from the start; so may a text be empty where emptiness has a meaning.
      const mayBeEmpty = field.rule.check('').length === 0;
      const isChosen = property?.property.type === 'options' && property.property.default !== '';
      expect(property?.property.required === true || isChosen || mayBeEmpty, `${name} is not required`).toBe(
        true,
      );
    }
  });

  it('offers exactly the values that there are', () => {
    for (const [name, { rule }] of listSentFields(description)) {
      const property = findProperty(description, name)?.property;
      if (property === undefined) continue;
      const values = rule.schema['enum'];
      if (Array.isArray(values)) {
        const offered = new Set(listChoices(property).map(({ value }) => value));
        expect(offered, name).toEqual(new Set(values));
      }
      if (rule.type === 'true or false') expect(property.type, name).toBe('boolean');
      if (rule.type === 'whole number') expect(property.type, name).toBe('number');
    }
  });

  it('has no parameter that nothing reads', () => {
    const named = Object.values(description.parameters);
    const unread = placed.filter(
      ({ path }) =>
        !named.some((one) => one === path || one.startsWith(`${path}.`)) && !isRead(path, sources),
    );
    expect(unread.map(({ path }) => path)).toEqual([]);
  });

  it('has each parameter once, and lists in the order of their names', () => {
    const shownAlways = placed.filter(({ property }) => property.displayOptions === undefined);
    expect(new Set(shownAlways.map(({ path }) => path)).size).toBe(shownAlways.length);
    for (const { path, property } of placed) {
      const choices = listChoices(property).map(({ name }) => name);
      expect(new Set(choices).size, path).toBe(choices.length);
      if (choices.length >= LIST_LENGTH) expect(choices, path).toEqual(sortNames(choices));
      if (property.type === 'collection') {
        const members = listProperties([property]).filter((member) => member.path.split('.').length === 2);
        const names = members.map((member) => member.property.displayName);
        if (names.length >= LIST_LENGTH) expect(names, path).toEqual(sortNames(names));
      }
    }
  });

  it('has a default that can be chosen', () => {
    for (const { path, property } of placed) {
      const values = listChoices(property).map(({ value }) => value);
      if (property.type === 'options') expect(values, path).toContain(property.default);
    }
  });

  it('has a list that the node can give for each locator', () => {
    for (const { path, property } of placed.filter((one) => one.property.type === 'resourceLocator')) {
      const methods = (property.modes ?? []).flatMap(
        ({ typeOptions }) => typeOptions?.searchListMethod ?? [],
      );
      expect(methods, path).toEqual([expect.any(String)]);
      expect(Object.keys(listSearch), path).toEqual(expect.arrayContaining(methods));
    }
  });

  it('says what it does in words for people', () => {
    expect(description.action).toMatch(/^[A-Z].*[^.\s]$/);
    expect(description.action).not.toMatch(/\b(?:an?|the)\b/i);
    expect(description.description).toMatch(sentences);
    expect(description.description).not.toBe(description.name);
    for (const { path, property } of placed) {
      expect(property.displayName, path).toMatch(/^[A-Z]/);
      if (property.description === undefined) continue;
      expect(property.description, path).toMatch(sentences);
      expect(property.description.toLowerCase(), path).not.toBe(property.displayName.toLowerCase());
    }
  });
});
