import { factRules, type FactRule, type PropertyType } from './notion-fields.ts';
import type { PropertyMapping } from './notion-page.ts';
import { keyProperty, rowProperty } from './read-data-source.ts';

/** A property as a data source has it. */
export interface PropertyShape {
  readonly name: string;
  readonly type: string;
  /** Of a status: the names that it takes. */
  readonly options?: readonly string[];
  /** Of a relation: the id of the data source that it points into. */
  readonly pointsInto?: string;
}

/** Where one fact goes. */
export interface Column {
  readonly fact: string;
  readonly name: string;
  readonly type: PropertyType;
  readonly options?: readonly string[];
  readonly pointsInto?: string;
  readonly isFirstOnly: boolean;
}

/** Something that a person asked for and that is not so. */
export interface PropertyProblem {
  readonly property: string;
  readonly found: string;
  readonly expected: string;
}

export interface PropertyMatch {
  readonly columns: readonly Column[];
  readonly problems: readonly PropertyProblem[];
}

/**
 * Which property of a data source each fact goes to: the mapped one, which must be there and of a type that holds it, or
 * else the usual one where it does. Pure.
 */
export function matchProperties(
  kind: keyof typeof factRules,
  mapping: PropertyMapping,
  properties: readonly PropertyShape[],
): PropertyMatch {
  const columns: Column[] = [];
  const problems: PropertyProblem[] = [];
  const take = (fact: string, { fits, isFirstOnly }: FactRule, found: PropertyShape): boolean => {
    const type = fits.find((one) => one === found.type);
    const isKey = found.name === keyProperty || found.name === rowProperty;
    if (type === undefined || isKey || columns.some(({ name }) => name === found.name)) return false;
    const { name, options, pointsInto } = found;
    columns.push({
      fact,
      name,
      type,
      isFirstOnly: isFirstOnly === true,
      ...(options === undefined ? {} : { options }),
      ...(pointsInto === undefined ? {} : { pointsInto }),
    });
    return true;
  };
  const rules = Object.entries(factRules[kind]);
  // What somebody named goes first: another fact may not have taken it.
  for (const [fact, rule] of rules) {
    const property = mapping[fact];
    if (typeof property !== 'string') continue;
    const found = findProperty(properties, property);
    if (found !== undefined && take(fact, rule, found)) continue;
    const isTaken = found !== undefined && rule.fits.some((type) => type === found.type);
    const state = isTaken ? 'used for something else' : `of type ${found?.type}`;
    problems.push({
      property,
      found: found === undefined ? 'not there' : state,
      expected: `a property of type ${listTypes(rule.fits)}, for ${fact}`,
    });
  }
  for (const [fact, rule] of rules) {
    if (mapping[fact] !== undefined && fact !== 'title') continue;
    if (columns.some((column) => column.fact === fact)) continue;
    const found =
      fact === 'title'
        ? properties.find(({ type }) => type === 'title')
        : findProperty(properties, rule.property ?? '');
    if (found !== undefined) take(fact, rule, found);
  }
  return { columns, problems };
}

/** What to do about a problem. */
export function explainProblem({ property, found, expected }: PropertyProblem): string {
  return `the Notion property "${property}" is ${found}; expected ${expected}: mend it in the data source, or the option properties`;
}

export function listTypes(types: readonly string[]): string {
  return types.length < 2 ? types.join('') : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`;
}

function findProperty(properties: readonly PropertyShape[], wanted: string): PropertyShape | undefined {
  return (
    properties.find(({ name }) => name === wanted) ??
    properties.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  );
}
