import { readParts, type Parts } from '../../web/read-parts.ts';
import { isRefusal, refuseNotionBody, type NotionRefusal } from '../notion-refusal.ts';
import { readPlainText } from '../notion-text.ts';
import type { NotionWorld } from '../notion-world.ts';
import { findProperty, type DataSource } from '../sources/data-source.ts';
import { emptyPropertyValue, isComputed } from '../sources/property-types.ts';
import { titleOnly } from '../sources/title-only.ts';
import type { NotionProperty } from './notion-page.ts';
import { readPropertyValue } from './read-property-value.ts';

export type PageProperties = Readonly<Record<string, NotionProperty>>;

export interface PropertiesReading {
  readonly properties: PageProperties;
  /** With the choices that were new. */
  readonly source: DataSource;
}

/** The properties of a page that sets none. */
function listEmptyProperties(source: DataSource): PageProperties {
  return Object.fromEntries(
    source.properties
      .filter(({ type }) => !isComputed(type))
      .map(({ name, type }) => [name, { type, value: emptyPropertyValue(type) }]),
  );
}

/** Reads the properties that a request gives to a page of a data source. What it does not name stays as it was `before`. */
export function readPageProperties(
  world: NotionWorld,
  given: Parts,
  source: DataSource,
  before: PageProperties,
): PropertiesReading | NotionRefusal {
  const properties = new Map(Object.entries(before));
  let now = source;
  for (const [key, sent] of Object.entries(given)) {
    const property = findProperty(now, key);
    if (property === undefined) return refuseNotionBody(`${key} is not a property that exists.`);
    const { name, type } = property;
    const parts = readParts(sent);
    if (!Object.hasOwn(parts, type)) return refuseNotionBody(`${name} is expected to be ${type}.`);
    const reading = readPropertyValue(world, property, parts[type], `body.properties.${key}`);
    if (isRefusal(reading)) return reading;
    properties.set(name, { type, value: reading.value });
    now = {
      ...now,
      properties: now.properties.map((known) => (known === property ? reading.property : known)),
    };
  }
  return { properties: Object.fromEntries(properties), source: now };
}

/** The properties of a new page: those of its data source, or where there is none a title alone. */
export function readNewProperties(
  world: NotionWorld,
  given: Parts,
  source: DataSource | undefined,
): { readonly properties: PageProperties; readonly source?: DataSource } | NotionRefusal {
  if (source !== undefined) return readPageProperties(world, given, source, listEmptyProperties(source));
  const reading = readPageProperties(world, given, titleOnly, listEmptyProperties(titleOnly));
  return isRefusal(reading) ? reading : { properties: reading.properties };
}

/** The letters of the title. */
export function readTitle(properties: PageProperties): string {
  return readPlainText(Object.values(properties).find(({ type }) => type === 'title')?.value);
}
