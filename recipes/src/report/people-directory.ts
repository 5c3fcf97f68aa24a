import type { Person, Report } from '@aftermeet/client';
import { z } from 'zod';

import { cleanPersonName, looksLikeAddress, normalizeName } from './people.ts';

const nameSchema = z.string({ error: 'a name' }).trim().min(1, { error: 'a name' }).max(100);

/** Somebody of whom the installation says who they are. */
export const knownPersonSchema = z.strictObject({
  name: nameSchema.describe('As the person is shown.'),
  aliases: z.array(nameSchema).default([]).describe('Other names under which reports name them.'),
  email: z
    .string()
    .trim()
    .refine(looksLikeAddress, { error: 'an address, such as ann@example.com' })
    .optional()
    .describe('Address in reports and for mail.'),
  slack: z
    .string()
    .regex(/^[UW][A-Z0-9]{2,}$/, { error: 'the id of a member, such as U0123456789' })
    .optional()
    .describe('Id of the member in Slack.'),
  notion: z
    .string()
    .regex(/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i, { error: 'the id of a Notion user' })
    .optional()
    .describe('Id of the user in Notion.'),
});

export type KnownPerson = z.output<typeof knownPersonSchema>;

/** Who people are. It never guesses: a name that fits two people fits no one. */
export interface PeopleDirectory {
  /**
   * The person with this address; without an address the one of this name, or else of this alias. An address that is not known
   * is another person's, whatever the name.
   */
  find(person: {
    readonly name?: string | undefined;
    readonly email?: string | undefined;
  }): KnownPerson | undefined;
  /** Names, aliases and addresses that fit two people. */
  readonly ambiguous: readonly string[];
}

export function createPeopleDirectory(people: readonly KnownPerson[] = []): PeopleDirectory {
  const byEmail = indexBy(people, ({ email }) => (email === undefined ? [] : [email]));
  const byName = indexBy(people, ({ name }) => [name]);
  const byAlias = indexBy(people, ({ aliases }) => aliases);
  return {
    find({ name = '', email = '' }) {
      const address = normalizeName(email);
      if (address !== '') return byEmail.found.get(address) ?? undefined;
      const wanted = normalizeName(cleanPersonName(name));
      if (wanted === '') return undefined;
      const named = byName.found.get(wanted);
      // Null: the name fits two people, and an alias does not decide between them.
      return named === undefined ? (byAlias.found.get(wanted) ?? undefined) : (named ?? undefined);
    },
    ambiguous: [...new Set([byName, byAlias, byEmail].flatMap(({ ambiguous }) => ambiguous))],
  };
}

/** By normalised text; null where two people have it. */
function indexBy(
  people: readonly KnownPerson[],
  list: (person: KnownPerson) => readonly string[],
): { readonly found: ReadonlyMap<string, KnownPerson | null>; readonly ambiguous: readonly string[] } {
  const found = new Map<string, KnownPerson | null>();
  const ambiguous: string[] = [];
  for (const person of people) {
    for (const text of list(person)) {
      const key = normalizeName(text);
      const known = found.get(key);
      if (known !== undefined && known !== person) ambiguous.push(text);
      found.set(key, known === undefined || known === person ? person : null);
    }
  }
  return { found, ambiguous };
}

/**
 * The report with what the directory knows: participants and owners of tasks under their own names and with their
 * addresses. Speakers whom it knows took part, also where the report does not name them as participants. Pure.
 */
export function placePeople<Given extends Pick<Report, 'participants' | 'speakers' | 'tasks'>>(
  report: Given,
  directory: PeopleDirectory,
): Given {
  const placed = new Set<KnownPerson>();
  /** Nothing, if the report names them under another name too. */
  const place = (person: Person): readonly Person[] => {
    const known = directory.find(person);
    if (known === undefined) return [person];
    if (placed.has(known)) return [];
    placed.add(known);
    const email = person.email ?? known.email;
    return [{ name: known.name, ...(email === undefined ? {} : { email }) }];
  };
  // Who took part under this name has another address: it is not known which of the two an owner is.
  const strangers = new Set(
    report.participants
      .filter((person) => person.email !== undefined && directory.find(person) === undefined)
      .map(({ name = '' }) => normalizeName(name)),
  );
  const named = report.participants.flatMap(place);
  const names = new Set(named.map(({ name = '' }) => normalizeName(name)));
  const spoke = report.speakers.filter(
    ({ name }) => report.participants.length === 0 || directory.find({ name }) !== undefined,
  );
  const heard = spoke
    .flatMap(({ name }) => place({ name }))
    .filter(({ name = '' }) => !names.has(normalizeName(name)));
  return {
    ...report,
    participants: [...named, ...heard],
    tasks: report.tasks.map((task) => {
      const { owner = '' } = task;
      const known = strangers.has(normalizeName(owner)) ? undefined : directory.find({ name: owner });
      if (known === undefined) return task;
      return { ...task, owner: known.email === undefined ? known.name : `${known.name} <${known.email}>` };
    }),
  };
}

const MAX_UNKNOWN = 50;

/** Names in a report of people who cannot be reached: it has no address of them, and the directory does not know them. */
export function listUnknown(
  report: Pick<Report, 'participants' | 'speakers' | 'tasks'>,
  directory: PeopleDirectory,
): readonly string[] {
  const { participants, tasks } = placePeople(report, directory);
  const reached = new Set(
    participants.flatMap((person) =>
      person.email !== undefined || directory.find(person) !== undefined
        ? [normalizeName(person.name ?? '')]
        : [],
    ),
  );
  const owners = tasks.flatMap(({ owner = '' }) => (owner.includes('@') ? [] : [owner]));
  const unknown = new Map<string, string>();
  for (const text of [...participants.map(({ name = '' }) => name), ...owners]) {
    const name = cleanPersonName(text);
    const key = normalizeName(name);
    const isKnown = key === '' || reached.has(key) || directory.find({ name }) !== undefined;
    if (!isKnown && !unknown.has(key)) unknown.set(key, name);
  }
  return [...unknown.values()].slice(0, MAX_UNKNOWN);
}
