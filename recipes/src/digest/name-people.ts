import type { Person, Report } from '@aftermeet/client';

import type { Attendee } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { formatDuration } from '../text/format-when.ts';
import { tidyLine } from '../text/tidy-text.ts';

const limits = { people: 100, attendees: 500, name: 100, shown: 8 };

/** A name of at most 100 characters on one line. */
export function readName(name: string): string {
  return cutText(tidyLine(name.slice(0, 4 * limits.name)), limits.name);
}

/** The participants' names, else the speakers'; each once. */
export function namePeople(report: Report): readonly string[] {
  const named = nameAll(report.participants.slice(0, limits.people));
  return named.length > 0 ? named : nameAll(report.speakers.slice(0, limits.people));
}

function nameAll(people: readonly Person[]): readonly string[] {
  return [...new Set(people.map(({ name }) => personName(name ?? '')).filter((name) => name !== ''))];
}

/** An address in the place of a name stays out: a recap can be read by more people than the list of guests. */
export function personName(text: string): string {
  const name = readName(text);
  return name.includes('@') ? '' : name;
}

/** Everybody of the list of guests, with the address that stands beside or in the place of the name. */
export function listAttendees({ participants }: Pick<Report, 'participants'>): readonly Attendee[] {
  return participants.slice(0, limits.attendees).flatMap(({ name: text = '', email: own }) => {
    const name = personName(text);
    const email = [own ?? '', text].map((address) => address.trim()).find(looksLikeAddress);
    if (name === '' && email === undefined) return [];
    return [{ ...(name === '' ? {} : { name }), ...(email === undefined ? {} : { email }) }];
  });
}

/** Whether a text is one address; whoever sends to it checks it more closely. */
export function looksLikeAddress(text: string): boolean {
  return (
    text.length <= 254 && /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/.test(text) && tidyLine(text) === text
  );
}

/** Duration, people and source in one line each. */
export function listFacts(report: Report, people: readonly string[]): readonly string[] {
  const facts: string[] = [];
  const { durationSeconds } = report;
  if (durationSeconds !== undefined && durationSeconds >= 0 && Number.isFinite(durationSeconds)) {
    facts.push(formatDuration(durationSeconds));
  }
  if (people.length > 0) facts.push(listNames(people));
  if (report.source !== undefined) facts.push(readName(report.source));
  return facts.filter((fact) => fact !== '');
}

function listNames(people: readonly string[]): string {
  const shown = people.slice(0, limits.shown);
  const more = people.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
