import {
  asEntries,
  asId,
  asText,
  type Fields,
  isFields,
  isInexact,
  openText,
  readFirst,
  spellNames,
  type Writable,
} from '../loose.ts';
import type { Person, Segment, Speaker } from './report.ts';
import { foldWords } from './vocabulary.ts';

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
    asAddress(name);
  return name === undefined && email === undefined ? undefined : makePerson(name, email);
}

/** `ann@example.com`, `Ann Lee` or `Ann Lee <ann@example.com>`. */
function parsePerson(text: string | undefined): Person | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  const open = trimmed.endsWith('>') ? trimmed.lastIndexOf('<') : -1;
  const email = open === -1 ? asAddress(trimmed) : asEmail(trimmed.slice(open + 1, -1));
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

/** A name is an address only if it looks like one: `Meeting Room 3@HQ` and `@bokim` are names. */
function asAddress(name: string | undefined): string | undefined {
  return name !== undefined && /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(name) ? name : undefined;
}

/** The people whom a report names. */
export interface KnownPeople {
  readonly isEmpty: boolean;
  /** Whether a text is the name of one of them. */
  readonly isName: (text: string) => boolean;
  /** Whether every word of a label is a part of their names: `Ann`, `Ann & Bo Kim`, `Lee (Sales)`. */
  readonly has: (label: string) => boolean;
}

/** Names that a recogniser gives to voices: they say nothing about who takes part. */
const placeholder =
  /^(?:(?:speaker|participant|guest|user|unknown|unknown speaker|sprecher|teilnehmer|intervenant|locuteur|orador|hablante|participante|parlante|spreker|talare|mówca|mluvčí|говорящий|спикер|участник|話者|参加者|发言人|发言者|说话人|화자|참석자)(?: ?[a-z\d]{1,3})?|[a-z]?\d{0,3})$/;

export function createKnownPeople(names: readonly string[]): KnownPeople {
  const whole = new Set([...names].map(foldWords).filter((name) => !placeholder.test(name)));
  // `Ann Lee (Product)` is no product.
  const bare = [...names].map((name) => foldWords(name.replaceAll(/[(（|][^()（）]{0,60}[)）]?/g, ' ')));
  const parts = new Set(bare.flatMap((name) => name.split(' ')).filter((part) => !/^\d*$/.test(part)));
  const joints = new Set(['and', 'und', 'et', 'y', 'e', 'og', 'och', 'ja', 'i', 'и', '与', '和']);
  return {
    isEmpty: whole.size === 0,
    isName: (text) => whole.has(foldWords(text)),
    has: (label) => {
      const words = foldWords(label.replaceAll(/[(（][^()（）]{0,60}[)）]/g, ' ')).split(' ');
      const named = words.filter((word) => !joints.has(word));
      return whole.has(words.join(' ')) || (named.length > 0 && named.every((word) => parts.has(word)));
    },
  };
}

const idNames = spellNames('id', 'speaker_id');

/** The speakers whom the report lists. */
export interface SpeakerList {
  readonly names: ReadonlySet<string>;
  readonly idByName: ReadonlyMap<string, string>;
  readonly nameById: ReadonlyMap<string, string>;
}

/** Speakers from a list of texts or objects, or from a comma-separated text. */
export function readSpeakers(value: unknown, dropped: Dropped): SpeakerList {
  const names = new Set<string>();
  const idByName = new Map<string, string>();
  const nameById = new Map<string, string>();
  const opened = openText(value);
  for (const entry of typeof opened === 'string' ? opened.split(',') : asEntries(opened)) {
    const name = readName(entry);
    if (name === undefined) {
      dropped.add('speakers');
      continue;
    }
    names.add(name);
    const id = isFields(entry) ? readId(entry, idNames, dropped) : undefined;
    if (id === undefined) continue;
    if (!idByName.has(name)) idByName.set(name, id);
    if (!nameById.has(id)) nameById.set(id, name);
  }
  return { names, idByName, nameById };
}

/** The listed speakers, then others that the transcript names, each with the time they talked where it is sure. */
export function describeSpeakers(list: SpeakerList, transcript: readonly Segment[]): readonly Speaker[] {
  const seconds = new Map<string, number>();
  for (const { speaker, startSeconds, endSeconds } of transcript) {
    if (speaker === undefined) continue;
    // One segment without its times makes the sum unknown, which is what NaN stays.
    const length = (endSeconds ?? Number.NaN) - (startSeconds ?? Number.NaN);
    seconds.set(speaker, (seconds.get(speaker) ?? 0) + length);
  }
  return [...new Set([...list.names, ...seconds.keys()])].map((name) => {
    const id = list.idByName.get(name);
    const talk = seconds.get(name);
    return {
      name,
      ...(id === undefined ? {} : { id }),
      ...(talk === undefined || Number.isNaN(talk) ? {} : { talkSeconds: Math.round(talk * 1000) / 1000 }),
    };
  });
}

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

/** Names have been seen one object deep; what is much deeper is no name. */
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

const labelNames = ['name', 'text', 'keyword', 'tag', 'word', 'title', 'label'];

/** Words from a list of texts or objects, or from a comma-separated text; each once. */
export function readLabels(value: unknown, onDropped: () => void): readonly string[] {
  const labels = new Set<string>();
  const opened = openText(value);
  const entries =
    typeof opened === 'string' ? opened.split(',').filter((part) => part.trim() !== '') : opened;
  for (const entry of asEntries(entries)) {
    const label = isFields(entry) ? readFirst(entry, labelNames, asText) : asText(entry);
    if (label === undefined) onDropped();
    else labels.add(label.trim());
  }
  return [...labels];
}

/** The first of several fields that holds an id; one that can't be kept is dropped. */
export function readId(fields: Fields, names: readonly string[], dropped: Dropped): string | undefined {
  const id = readFirst(fields, names, asId);
  if (id === undefined && names.some((name) => isInexact(fields[name]))) dropped.add('ids');
  return id;
}

/** Parts of a report, as a warning names them. */
type ReportPart =
  | 'templates'
  | 'blocks'
  | 'tasks'
  | 'task owners'
  | 'decisions'
  | 'chapters'
  | 'transcript segments'
  | 'participants'
  | 'speakers'
  | 'keywords'
  | 'tags'
  | 'ids';

/** Counts the list entries, owners and ids that could not be read. */
export interface Dropped {
  add(part: ReportPart, count?: number): void;
  /** One line for each part, without content. */
  listWarnings(): readonly string[];
}

export function createDropped(): Dropped {
  const counts = new Map<ReportPart, number>();
  return {
    add(part, count = 1) {
      if (count > 0) counts.set(part, (counts.get(part) ?? 0) + count);
    },
    listWarnings: () => [...counts].map(([part, count]) => `${count} of the ${part} could not be read`),
  };
}
