import { readText, type Parts } from '../../web/read-parts.ts';
import { isRefusal, refuseNotionBody, type NotionRefusal } from '../notion-refusal.ts';
import type { SourceProperty } from '../sources/data-source.ts';
import { findOption, listOptions, pickColor } from '../sources/property-options.ts';
import type { PropertyReading } from './read-property-value.ts';

/**
 * The choice that a request names. A select takes a new one and keeps it (Notion's page on property values); a status
 * takes only those that it has, and no choice has a comma in its name.
 */
export function pickOption(
  property: SourceProperty,
  given: Parts,
  makeId: () => string,
): PropertyReading | NotionRefusal {
  const options = listOptions(property.config);
  const known = findOption(options, given);
  if (known !== undefined) {
    const { description: _unsaid, ...value } = known;
    return { value, property };
  }
  const { type } = property;
  const name = readText(given['name']);
  if (type === 'status' || name === '') {
    const asked = name === '' ? readText(given['id']) : name;
    const Kind = type === 'status' ? 'Status' : 'Select';
    return refuseNotionBody(`Invalid ${type} option. ${Kind} option "${asked}" does not exist".`);
  }
  if (name.includes(',')) return refuseNotionBody(`Invalid ${type} option, commas not allowed: ${name}`);
  const color = readText(given['color']) || pickColor(options.length);
  const value = { id: makeId(), name, color };
  const config = { ...property.config, options: [...options, { ...value, description: null }] };
  return { value, property: { ...property, config } };
}

/** Several at once; one that is named twice counts once. */
export function pickOptions(
  property: SourceProperty,
  given: readonly Parts[],
  makeId: () => string,
): PropertyReading | NotionRefusal {
  let now = property;
  const values = new Map<string, unknown>();
  for (const option of given) {
    const picked = pickOption(now, option, makeId);
    if (isRefusal(picked)) return picked;
    now = picked.property;
    values.set(JSON.stringify(picked.value), picked.value);
  }
  return { value: [...values.values()], property: now };
}
