import { readParts, readText, type Parts } from '../../web/read-parts.ts';
import { isRefusal, refuseNotionBody, refuseUnplayed, type NotionRefusal } from '../notion-refusal.ts';
import { findProperty, makePropertyId, type DataSource, type SourceProperty } from './data-source.ts';
import { isPropertyType, type PropertyType } from './property-types.ts';
import { setUpProperty, type SetUpTools } from './set-up-property.ts';

/**
 * Applies the `properties` of a request to those of a data source: they are added, renamed, given another type or
 * other choices, or removed by null.
 */
export function changeProperties(
  source: DataSource,
  changes: Parts,
  tools: SetUpTools,
): readonly SourceProperty[] | NotionRefusal {
  let properties = source.properties;
  for (const [key, change] of Object.entries(changes)) {
    const known = findProperty({ ...source, properties }, key);
    const changed = changeOne(key, change, known, properties, tools);
    if (isRefusal(changed)) return changed;
    properties = changed;
  }
  const titles = properties.filter(({ type }) => type === 'title').length;
  return titles === 1
    ? properties
    : refuseNotionBody('Cannot delete title property or change its type: a data source has exactly one.');
}

function changeOne(
  key: string,
  change: unknown,
  known: SourceProperty | undefined,
  properties: readonly SourceProperty[],
  tools: SetUpTools,
): readonly SourceProperty[] | NotionRefusal {
  const given = readParts(change);
  const type = readType(given, known);
  if (isRefusal(type)) return type;
  if (known === undefined && (change === null || type === undefined)) {
    return refuseNotionBody(`${key} is not a property that exists.`);
  }
  const others = properties.filter((property) => property !== known);
  if (change === null || type === undefined) return others;
  const name = readText(given['name']) || (known?.name ?? key);
  if (others.some((other) => other.name === name)) {
    return refuseNotionBody(`A property with the name ${name} exists already.`);
  }
  const before = known?.type === type ? known.config : {};
  const isRenaming = known !== undefined && given[type] === undefined;
  const config = isRenaming ? before : setUpProperty(type, readParts(given[type]), before, tools);
  if (isRefusal(config)) return config;
  const id = known?.id ?? makePropertyId(name, type, others);
  const property = { id: type === 'title' ? 'title' : id, name, type, config };
  return known === undefined
    ? [...properties, property]
    : properties.map((old) => (old === known ? property : old));
}

/** The type that a request names: by its key, as everywhere at Notion; undefined where it only renames. */
function readType(given: Parts, known: SourceProperty | undefined): PropertyType | NotionRefusal | undefined {
  const key = Object.keys(given).find((name) => !['name', 'description', 'type'].includes(name));
  if (key === undefined) return known?.type;
  return isPropertyType(key) ? key : refuseUnplayed(`properties of type ${key}`);
}
