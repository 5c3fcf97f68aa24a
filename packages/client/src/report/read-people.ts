import type { Dropped } from './dropped.ts';
import {
  asEntries,
  asText,
  type Fields,
  isFields,
  openText,
  readFirst,
  spellNames,
  type Writable,
} from './loose.ts';
import { readName } from './read-name.ts';
import type { Person } from './report.ts';

const emailNames = spellNames('email', 'mail', 'email_address');

/** People from a list of texts or objects, from a comma-separated text, or from an object that holds such lists. */
export function readPeople(value: unknown, dropped: Dropped): readonly Person[] {
  const people = new Map<string, Person>();
  for (const entry of listPeople(openText(value), true)) {
    const person = isFields(entry) ? readPerson(entry) : parsePerson(asText(entry));
    if (person === undefined) dropped.add('participants');
    else people.set(JSON.stringify([person.name, person.email?.toLowerCase()]), person);
  }
  return [...people.values()];
}

function listPeople(value: unknown, mayHoldLists: boolean): readonly unknown[] {
  if (typeof value === 'string') return splitPeople(value);
  if (!mayHoldLists || !isFields(value) || readPerson(value) !== undefined) return asEntries(value);
  const inner = Object.values(value);
  const lists = inner.filter(Array.isArray);
  return lists.length > 0 ? lists.flat() : inner.flatMap((item) => listPeople(item, false));
}

/** Splits at commas and semicolons, but not inside of quotes: `"Lee, Ann" <ann@example.com>, bob@example.com`. */
function splitPeople(text: string): readonly string[] {
  const parts: string[] = [];
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === undefined || (!isQuoted && (sign === ',' || sign === ';' || sign === '\n'))) {
      const part = text.slice(from, at).trim();
      if (part !== '') parts.push(part);
      from = at + 1;
    }
  }
  return parts;
}

/** Of an object, which may hold them one object deeper. */
export function readPerson(fields: Fields): Person | undefined {
  const name = readName(fields);
  const email =
    readFirst(fields, emailNames, asEmail) ??
    readFirst(fields, ['user', 'person'], (inner) =>
      isFields(inner) ? readFirst(inner, emailNames, asEmail) : undefined,
    ) ??
    asEmail(name);
  return name === undefined && email === undefined ? undefined : makePerson(name, email);
}

/** `ann@example.com`, `Ann Lee` or `Ann Lee <ann@example.com>`. */
function parsePerson(text: string | undefined): Person | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  const open = trimmed.endsWith('>') ? trimmed.lastIndexOf('<') : -1;
  const email = asEmail(open === -1 ? trimmed : trimmed.slice(open + 1, -1));
  if (email === undefined) return { name: trimmed };
  const name = trimmed.slice(0, Math.max(open, 0)).replaceAll('"', '').trim();
  return makePerson(name === '' ? undefined : name, email);
}

function makePerson(name: string | undefined, email: string | undefined): Person {
  const person: Writable<Person> = {};
  if (name !== undefined) person.name = name;
  if (email !== undefined) person.email = email;
  return person;
}

function asEmail(value: unknown): string | undefined {
  const text = asText(value)?.trim();
  return text !== undefined && text.includes('@') && !/\s/.test(text) ? text : undefined;
}
