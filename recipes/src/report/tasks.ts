import type { Person, Task } from '@aftermeet/client';

import { hashText } from '../engine/store/store-tools.ts';
import { en } from '../words/en.ts';
import { cleanName, cleanPersonName, hideAddresses, looksLikeAddress, normalizeName } from './people.ts';
import { plainText } from './plain-text.ts';
import type { TextTree } from './text-tree.ts';

export interface DigestTask {
  /** Lowercase hex; the same for the same words and owner in every version of the report. */
  readonly key: string;
  readonly text: TextTree;
  /** How it ended; absent: it is open. An ended task is shown struck out, and causes nothing. */
  readonly state?: NonNullable<Task['state']>;
  /** Due date as the service wrote it. */
  readonly due?: string;
  /** `YYYY-MM-DD`; absent when `due` is not clearly a date. */
  readonly dueDate?: string;
  /** Position in the recording. */
  readonly atSeconds?: number;
}

/** The tasks of one owner; the group without an owner comes last. */
export interface TaskGroup {
  readonly owner?: string;
  /** Address of the participant of that name. Never shown. */
  readonly email?: string;
  /** Ids in Slack and Notion, where the installation knows them. */
  readonly slack?: string | undefined;
  readonly notion?: string | undefined;
  readonly tasks: readonly DigestTask[];
}

/** One decision or task, parsed. */
export interface ParsedItem {
  readonly text: TextTree;
  readonly isCut: boolean;
}

/** Shown for an owner who is known by an address alone. */
const unnamedOwner = en.unnamedParticipant;
const MAX_PARTICIPANTS = 2000;

/**
 * Groups tasks by owner, in the order in which owners first appear; tasks without an owner come last. Names are compared by
 * `normalizeName`. An owner gets an address when exactly one participant has that name, or when the owner text is or
 * contains one (`Ann Lee <ann@example.com>`).
 */
export function groupTasks(
  tasks: readonly Task[],
  participants: readonly Person[],
  parseItem: (text: string) => ParsedItem,
): { readonly groups: readonly TaskGroup[]; readonly isCut: boolean } {
  const addresses = findAddresses(participants.slice(0, MAX_PARTICIPANTS));
  const groups = new Map<string, { readonly owner: Owner; readonly tasks: DigestTask[] }>();
  const occurrences = new Map<string, number>();
  let isCut = false;
  for (const task of tasks) {
    const item = parseItem(task.text);
    if (item.text.children.length === 0) continue;
    isCut ||= item.isCut;
    const ownerText = (task.owner ?? '').slice(0, 400);
    const owner = parseOwner(ownerText, addresses);
    const ownerKey = makeOwnerKey(owner);
    const group = groups.get(ownerKey) ?? { owner, tasks: [] };
    groups.set(ownerKey, group);
    const words = `${normalizeWords(ownerText)}\n${normalizeWords(plainText(item.text))}`;
    const times = (occurrences.get(words) ?? 0) + 1;
    occurrences.set(words, times);
    group.tasks.push({ key: makeKey(words, times), text: item.text, ...parseFacts(task) });
  }
  const all = [...groups.values()].map(({ owner, tasks: owned }): TaskGroup => ({ ...owner, tasks: owned }));
  return {
    groups: [
      ...all.filter(({ owner }) => owner !== undefined),
      ...all.filter(({ owner }) => owner === undefined),
    ],
    isCut,
  };
}

type Owner = Pick<TaskGroup, 'owner' | 'email'>;

/** Identifies an owner by name and address, because two people can have one name and several can be known by address alone. */
export function makeOwnerKey({ owner = '', email = '' }: Owner): string {
  return JSON.stringify([normalizeName(owner), email.toLowerCase()]);
}

function parseOwner(text: string, addresses: ReadonlyMap<string, string | undefined>): Owner {
  const [, words = '', inner] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = (inner ?? text).trim();
  if (looksLikeAddress(address)) {
    const name = cleanPersonName(words.replaceAll('"', ''));
    return { owner: name || (addresses.get(`@${address.toLowerCase()}`) ?? unnamedOwner), email: address };
  }
  const owner = cleanName(hideAddresses(text, unnamedOwner));
  const email = addresses.get(normalizeName(owner));
  if (owner === '') return {};
  return email === undefined ? { owner } : { owner, email };
}

/** Addresses by normalized name (undefined when several addresses share it), and names by `@` plus address. */
function findAddresses(participants: readonly Person[]): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const people = new Map<string, Set<string>>();
  for (const { name: text = '', email = '' } of participants) {
    const name = cleanPersonName(text);
    if (name === '') continue;
    const key = normalizeName(name);
    const address = email.trim();
    const isAddress = looksLikeAddress(address);
    const known = people.get(key) ?? new Set();
    people.set(key, known.add(address.toLowerCase()));
    found.set(key, known.size === 1 && isAddress ? address : undefined);
    if (isAddress) found.set(`@${address.toLowerCase()}`, name);
  }
  return found;
}

/** Drops punctuation and case, so that two spellings of the same words are equal. */
function normalizeWords(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words || text;
}

/** Repetitions of the same words get keys of their own. */
function makeKey(words: string, times: number): string {
  return hashText(times === 1 ? words : `${words}\n${times}`).slice(0, 32);
}

function parseFacts(task: Task): Partial<DigestTask> {
  const due = cleanName(task.due ?? '');
  const { state, dueDate, atSeconds = -1 } = task;
  return {
    ...(state === undefined ? {} : { state }),
    ...(due === '' ? {} : { due }),
    ...(dueDate === undefined || !/^\d{4}-\d\d-\d\d$/.test(dueDate) ? {} : { dueDate }),
    ...(atSeconds >= 0 && Number.isFinite(atSeconds) ? { atSeconds } : {}),
  };
}
