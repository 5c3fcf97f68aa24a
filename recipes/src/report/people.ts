import type { Person, Report } from '@aftermeet/client';

import { en, type Words } from '../words/en.ts';
import { cutText, cleanLine } from './clean-text.ts';
import { formatDuration } from './format-when.ts';

/** A participant. The address decides who receives a message and is never shown. */
export interface Attendee {
  readonly name?: string;
  readonly email?: string;
  /** Ids in Slack and Notion, where the installation knows them. */
  readonly slack?: string | undefined;
  readonly notion?: string | undefined;
}

/** The organiser: the first participant who is one's own. A report does not name the organiser. */
export function findOrganiser<One>(
  participants: readonly One[],
  isExternal: (one: One) => boolean,
): One | undefined {
  return participants.find((one) => !isExternal(one));
}

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

/**
 * A name without an address in it, because more people than the participants can read a recap: empty for an address alone.
 * `Ann Lee @ Contoso` and `Meeting Room 3@HQ` are names.
 */
export function cleanPersonName(text: string): string {
  const name = cleanName(text);
  return name.includes('@') ? trimRest(hideAddresses(name, '')) : name;
}

/** What is left of a name without its address: nothing, if it has no letter. */
function trimRest(name: string): string {
  const rest = cleanLine(name)
    .replace(/^[\s.,;:–—-]{1,9}/, '')
    .replace(/[\s.,;:–—-]{1,9}$/, '');
  return /\p{L}/u.test(rest) ? rest : '';
}

/** An address in a text: local part, @, domain with a dot. */
const addressInText = String.raw`[^\s,;<>()[\]@]{1,64}@[^\s,;<>()[\]@.]{1,63}(?:\.[^\s,;<>()[\]@.]{1,63}){1,9}`;
/** Behind a name, in brackets. */
const addressBehindName = new RegExp(String.raw`([^\s,;<>])\s{0,9}[<(\[]${addressInText}[>)\]]`, 'g');
const bareAddress = new RegExp(String.raw`[<(\[]?${addressInText}[>)\]]?`, 'g');
/** Written with brackets in its domain, as in `ann@[192.0.2.1]`. */
const bracketedAddress = /[^\s"@<>]{1,64}@[^\s"@<>]{1,253}\.[^\s"@<>]{1,253}/g;

/** The text without the addresses behind its names, and with `substitute` in place of every other address. */
export function hideAddresses(text: string, substitute: string): string {
  if (!text.includes('@')) return text;
  return text
    .slice(0, 4 * limits.name)
    .replaceAll(addressBehindName, '$1')
    .replaceAll(bareAddress, substitute)
    .replaceAll(bracketedAddress, substitute);
}

/** All participants, each with the address that stands beside the name, even one that cannot be mailed, or in its place. */
export function listAttendees({ participants }: Pick<Report, 'participants'>): readonly Attendee[] {
  return participants.slice(0, limits.attendees).flatMap(({ name: text = '', email: own }) => {
    const name = cleanPersonName(text);
    const email = holdsAddress(own) ? own.trim() : looksLikeAddress(text.trim()) ? text.trim() : undefined;
    if (name === '' && email === undefined) return [];
    return [{ ...(name === '' ? {} : { name }), ...(email === undefined ? {} : { email }) }];
  });
}

/** Who spoke took part, whether or not the report names them as participants. */
export function countParticipants(report: Report): { readonly participantCount?: number } {
  const speakers = new Set(report.speakers.map(({ name }) => normalizeName(name ?? ''))).size;
  const participantCount = Math.max(listAttendees(report).length, speakers);
  return participantCount === 0 ? {} : { participantCount };
}

function holdsAddress(text: string | undefined): text is string {
  return text !== undefined && text.includes('@') && text.length <= 254 && cleanLine(text) === text.trim();
}

/** The part before the @ may be quoted, the domain has a dot. */
const addressLike =
  /^(?:"[^\s@"\\]+"|[^\s@<>"(),:;[\]\\]+)@[^\s@<>"(),:;[\]\\.]+(?:\.[^\s@<>"(),:;[\]\\.]*)+$/;

/** Whether a text looks like one address. The sender of a mail validates it strictly. */
export function looksLikeAddress(text: string): boolean {
  return text.length <= 254 && addressLike.test(text) && cleanLine(text) === text;
}

/** What the line under a title is made of. */
interface MeetingFacts {
  readonly durationSeconds?: number;
  readonly people: readonly string[];
  readonly source?: string;
}

/** Duration, people and source, one line each. */
export function listFacts(
  { durationSeconds, people, source }: MeetingFacts,
  words: Words = en,
): readonly string[] {
  return [
    // Zero is what is not known.
    ...(durationSeconds === undefined || durationSeconds === 0
      ? []
      : [formatDuration(durationSeconds, words)]),
    ...(people.length === 0 ? [] : [joinNames(people, words)]),
    // A file was uploaded: that is no place where people have met.
    ...(source === undefined || source === 'upload' ? [] : [namePlatform(source)]),
  ];
}

/** A platform as people call it; one that is not known keeps its id. */
export function namePlatform(source: string): string {
  return platformNames.get(source.toLowerCase()) ?? source;
}

const platformNames: ReadonlyMap<string, string> = new Map([
  ['gmeet', 'Google Meet'],
  ['zoom', 'Zoom'],
  ['msteams', 'Microsoft Teams'],
  ['teams', 'Microsoft Teams'],
  ['yandextelemost', 'Yandex Telemost'],
  ['telemost', 'Yandex Telemost'],
  ['sberjazz', 'SberJazz'],
  ['trueconf', 'TrueConf'],
  ['konturtalk', 'Kontur.Talk'],
  ['mtslink', 'MTS Link'],
  ['jitsi', 'Jitsi Meet'],
  ['lark', 'Lark'],
]);

function joinNames(people: readonly string[], words: Words): string {
  const shown = people.slice(0, limits.shown);
  const more = people.length - shown.length;
  return shown.join(words.separator) + (more > 0 ? words.andMore(more) : '');
}

const asciiWords = /^[!-~]+(?: [!-~]+)*$/;

/** The form in which names are compared: case, blanks and the composition of letters make no difference. */
export function normalizeName(name: string): string {
  // Most names are in this form but for their case.
  if (asciiWords.test(name)) return name.toLowerCase();
  return name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
