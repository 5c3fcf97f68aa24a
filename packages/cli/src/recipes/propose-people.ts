import { type KnownPerson, type ListedMember, normalizeName } from '@aftermeet/recipes';

/** Where the ids are of. */
export type PeopleSource = 'slack' | 'notion';

/** A list of people for `people:`, with what a workspace adds to it. */
export interface ProposedPeople {
  readonly people: readonly KnownPerson[];
  /** Members who were not there. */
  readonly added: number;
  /** People who were there without this id. */
  readonly completed: number;
  /** What was not taken, with the reason. */
  readonly left: readonly LeftMember[];
}

export interface LeftMember {
  readonly member: ListedMember;
  readonly why: 'other_id' | 'two_people';
}

/**
 * The people of the settings, each with the id that a member of the same address has, or else of the same name; then the
 * other members. What is known stays: an id or address that differs is left, and so is a name that fits two people. Pure.
 */
export function proposePeople(
  known: readonly KnownPerson[],
  members: readonly ListedMember[],
  source: PeopleSource,
): ProposedPeople {
  const people: KnownPerson[] = [...known];
  const left: LeftMember[] = [];
  let added = 0;
  let completed = 0;
  const namesakes = (name: string) => members.filter((member) => fits(member.name, name)).length;

  for (const member of members) {
    const { id, name, email } = member;
    if (people.some((person) => person[source] === id)) continue;
    const byAddress = people.findIndex((person) => fits(person.email, email));
    const named = people.flatMap((person, at) =>
      fits(person.name, name) || person.aliases.some((alias) => fits(alias, name)) ? [at] : [],
    );
    const at = byAddress >= 0 ? byAddress : named[0];
    const person = at === undefined ? undefined : people[at];
    if (at === undefined || person === undefined) {
      people.push({ name, aliases: [], ...(email === undefined ? {} : { email }), [source]: id });
      added += 1;
      continue;
    }
    const isOfName = byAddress < 0;
    const isOther = person.email !== undefined && email !== undefined && !fits(person.email, email);
    if (isOfName && (named.length > 1 || namesakes(name) > 1 || isOther))
      left.push({ member, why: 'two_people' });
    else if (person[source] !== undefined) left.push({ member, why: 'other_id' });
    else {
      people[at] = {
        ...person,
        ...(email === undefined || person.email !== undefined ? {} : { email }),
        [source]: id,
      };
      completed += 1;
    }
  }
  return { people, added, completed, left };
}

/** An address or a name that both have. */
function fits(text: string | undefined, other: string | undefined): boolean {
  return text !== undefined && other !== undefined && normalizeName(text) === normalizeName(other);
}

/** People as a CSV file that `people: { file }` reads. */
export function writePeopleCsv(people: readonly KnownPerson[]): string {
  const rows = people.map(({ name, aliases, email = '', slack = '', notion = '' }) => [
    name,
    aliases.join('; '),
    email,
    slack,
    notion,
  ]);
  return [['name', 'aliases', 'email', 'slack', 'notion'], ...rows]
    .map((cells) => `${cells.map(quoteCell).join(',')}\n`)
    .join('');
}

function quoteCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
