import { asText, type Fields, isFields, readFirst, spellNames } from './loose.ts';

const nameNames = spellNames(
  'name',
  'speaker',
  'display_name',
  'full_name',
  'speaker_name',
  'user',
  'person',
);
const firstNames = spellNames('first_name', 'given_name');
const lastNames = spellNames('last_name', 'family_name');
/** Names have been seen one object deep; much deeper is nobody's name. */
const MAX_DEPTH = 3;

/** A name: a text, or an object that holds one (observed: `speaker` is a text or `{speaker}`). */
export function readName(value: unknown, depth = 0): string | undefined {
  if (!isFields(value)) return asText(value)?.trim();
  if (depth === MAX_DEPTH) return undefined;
  return readFirst(value, nameNames, (inner) => readName(inner, depth + 1)) ?? joinName(value);
}

function joinName(fields: Fields): string | undefined {
  const parts = [firstNames, lastNames].map((names) => readFirst(fields, names, asText)?.trim());
  const name = parts.filter((part) => part !== undefined).join(' ');
  return name === '' ? undefined : name;
}
