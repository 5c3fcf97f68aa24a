import type { Dropped } from './dropped.ts';
import { asFilled, type Fields, isFields, openText, readFirst, spellNames } from './loose.ts';
import { asId } from './read-id.ts';
import { readPerson } from './read-people.ts';
import type { SpeakerList } from './read-speakers.ts';

const ownerNames = spellNames('owner', 'assignee', 'assigned_to', 'responsible', 'assignees', 'owners');
const idNames = spellNames('id', 'speaker_id', 'user_id');
/** Digits, `speaker_1` or a UUID. */
const idPattern = /^(?:[a-z]+[_-])?\d+$|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Who has to do a task: one person, or several as one text. An id stands for the speaker whom the report lists
 * under it; the id of nobody is dropped, because a recap would show it as a name.
 */
export function readOwner(fields: Fields, listed: SpeakerList, dropped: Dropped): string | undefined {
  let unread = 0;
  for (const name of ownerNames) {
    const people = listOwners(fields[name]);
    const owners = people.map((person) => nameOwner(person, listed)).filter((owner) => owner !== undefined);
    if (owners.length > 0) {
      dropped.add('task owners', people.length - owners.length);
      return [...new Set(owners)].join(', ');
    }
    unread += people.length;
  }
  dropped.add('task owners', unread);
  return undefined;
}

function listOwners(value: unknown): readonly unknown[] {
  const opened = openText(value);
  const people: readonly unknown[] = Array.isArray(opened) ? opened : [opened];
  return people.filter((person) => asFilled(person) !== undefined);
}

function nameOwner(value: unknown, listed: SpeakerList): string | undefined {
  if (!isFields(value)) return resolveName(asId(value)?.trim(), listed);
  const { name, email } = readPerson(value) ?? {};
  const findById = (fields: unknown): string | undefined =>
    isFields(fields) ? readFirst(fields, idNames, (id) => listed.nameById.get(asId(id) ?? '')) : undefined;
  return (
    resolveName(name, listed) ?? email ?? findById(value) ?? readFirst(value, ['user', 'person'], findById)
  );
}

function resolveName(text: string | undefined, { names, nameById }: SpeakerList): string | undefined {
  if (text === undefined) return undefined;
  return nameById.get(text) ?? (names.has(text) || !idPattern.test(text) ? text : undefined);
}
