import type { Person, Report } from '@aftermeet/client';

import { cutText, cleanLine } from './clean-text.ts';
import type { Attendee } from './digest.ts';
import { formatDuration } from './format-when.ts';

const limits = { people: 100, attendees: 500, name: 100, shown: 8 };

/** Shortens a name to 100 characters on one line. */
export function cleanName(name: string): string {
  return cutText(cleanLine(name.slice(0, 4 * limits.name)), limits.name);
}

/** Names of the participants, or of the speakers when no participant has a name. Without repetitions. */
export function namePeople(report: Report): readonly string[] {
  const named = listNames(report.participants.slice(0, limits.people));
  return named.length > 0 ? named : listNames(report.speakers.slice(0, limits.people));
}

function listNames(people: readonly Person[]): readonly string[] {
  return [...new Set(people.map(({ name }) => cleanPersonName(name ?? '')).filter((name) => name !== ''))];
}

/** Empty for an address in place of a name: more people than the participants can read a recap. */
export function cleanPersonName(text: string): string {
  const name = cleanName(text);
  return name.includes('@') ? '' : name;
}

/** All participants, each with the address that stands beside the name or in its place. */
export function listAttendees({ participants }: Pick<Report, 'participants'>): readonly Attendee[] {
  return participants.slice(0, limits.attendees).flatMap(({ name: text = '', email: own }) => {
    const name = cleanPersonName(text);
    const email = [own ?? '', text].map((address) => address.trim()).find(looksLikeAddress);
    if (name === '' && email === undefined) return [];
    return [{ ...(name === '' ? {} : { name }), ...(email === undefined ? {} : { email }) }];
  });
}

/** The part before the @ may be quoted. */
const addressLike = /^(?:"[^\s@"\\]+"|[^\s@<>"(),:;[\]\\]+)@[^\s@<>"(),:;[\]\\]+$/;

/** Whether a text looks like one address. The sender of a mail validates it strictly. */
export function looksLikeAddress(text: string): boolean {
  return text.length <= 254 && addressLike.test(text) && cleanLine(text) === text;
}

/** Duration, people and source, one line each. */
export function listFacts(report: Report, people: readonly string[]): readonly string[] {
  const facts: string[] = [];
  const { durationSeconds } = report;
  if (durationSeconds !== undefined && durationSeconds >= 0 && Number.isFinite(durationSeconds)) {
    facts.push(formatDuration(durationSeconds));
  }
  if (people.length > 0) facts.push(joinNames(people));
  if (report.source !== undefined) facts.push(cleanName(report.source));
  return facts.filter((fact) => fact !== '');
}

function joinNames(people: readonly string[]): string {
  const shown = people.slice(0, limits.shown);
  const more = people.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The form in which names are compared: case, blanks and the composition of letters make no difference. */
export function normalizeName(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
