import type { Person, Task } from '@aftermeet/client';

import type { DigestTask, TaskGroup } from '../digest.ts';
import { hashText } from '../store/hash-text.ts';
import { plainText } from '../text/plain-text.ts';
import type { TextTree } from '../text/text-tree.ts';
import { foldName } from './fold-name.ts';
import { looksLikeAddress, personName, readName } from './name-people.ts';

/** One decision or task as a tree. */
export interface ReadItem {
  readonly text: TextTree;
  readonly isCut: boolean;
}

/** Stands where an owner is known by an address alone, which is not shown. */
const unnamedOwner = 'Unnamed participant';
const maxGuests = 2000;

/**
 * The tasks by their owners, in the order in which each owner comes first; those without an owner come last. However a
 * name is written (`foldName`), its tasks are those of one owner. An owner has an address where exactly one participant
 * is called so, or where it is one, alone or as `Ann Lee <ann@example.com>`.
 */
export function groupTasks(
  tasks: readonly Task[],
  participants: readonly Person[],
  readItem: (text: string) => ReadItem,
): { readonly groups: readonly TaskGroup[]; readonly isCut: boolean } {
  const addresses = findAddresses(participants.slice(0, maxGuests));
  const groups = new Map<string, { readonly owner: Owner; readonly tasks: DigestTask[] }>();
  const takenKeys = new Map<string, number>();
  let isCut = false;
  for (const task of tasks) {
    const item = readItem(task.text);
    if (item.text.children.length === 0) continue;
    isCut ||= item.isCut;
    const ownerText = (task.owner ?? '').slice(0, 400);
    const owner = readOwner(ownerText, addresses);
    const whose = foldOwner(owner);
    const group = groups.get(whose) ?? { owner, tasks: [] };
    groups.set(whose, group);
    const words = `${foldWords(ownerText)}\n${foldWords(plainText(item.text))}`;
    const times = (takenKeys.get(words) ?? 0) + 1;
    takenKeys.set(words, times);
    group.tasks.push({ key: makeKey(words, times), text: item.text, ...readDates(task) });
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

/** The same text for the same owner. Two people can have one name, and several are known by their address alone. */
export function foldOwner({ owner = '', email = '' }: Owner): string {
  return JSON.stringify([foldName(owner), email.toLowerCase()]);
}

function readOwner(text: string, addresses: ReadonlyMap<string, string | undefined>): Owner {
  const [, words = '', inner] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = (inner ?? text).trim();
  if (looksLikeAddress(address)) {
    const name = personName(words.replaceAll('"', ''));
    return { owner: name || (addresses.get(`@${address.toLowerCase()}`) ?? unnamedOwner), email: address };
  }
  const owner = personName(text) || readName(hideAddresses(text));
  const email = addresses.get(foldName(owner));
  if (owner === '') return {};
  return email === undefined ? { owner } : { owner, email };
}

/** Of several owners in one text each keeps the name, or is somebody, and loses the address. */
function hideAddresses(names: string): string {
  return names
    .replaceAll(/([^\s,;<>])\s{0,9}<[^\s,;<>]*@[^\s,;<>]*>/g, '$1')
    .replaceAll(/[^\s,;<>]*@[^\s,;<>]*/g, unnamedOwner);
}

/** Addresses by folded name, nothing for a name that several addresses share; and names by `@` and address. */
function findAddresses(participants: readonly Person[]): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  const people = new Map<string, Set<string>>();
  for (const { name: text = '', email = '' } of participants) {
    const name = personName(text);
    if (name === '') continue;
    const address = email.trim();
    const known = people.get(foldName(name)) ?? new Set();
    people.set(foldName(name), known.add(address.toLowerCase()));
    found.set(foldName(name), known.size === 1 && looksLikeAddress(address) ? address : undefined);
    if (looksLikeAddress(address)) found.set(`@${address.toLowerCase()}`, name);
  }
  return found;
}

/** Without what two writings of the same words differ in. */
function foldWords(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '').join(' ') || text;
}

/** The second task of the same words has a key of its own. */
function makeKey(words: string, times: number): string {
  return hashText(times === 1 ? words : `${words}\n${times}`).slice(0, 32);
}

function readDates(task: Task): Partial<DigestTask> {
  const due = readName(task.due ?? '');
  const { dueDate, atSeconds = -1 } = task;
  return {
    ...(due === '' ? {} : { due }),
    ...(dueDate === undefined || !/^\d{4}-\d\d-\d\d$/.test(dueDate) ? {} : { dueDate }),
    ...(atSeconds >= 0 && Number.isFinite(atSeconds) ? { atSeconds } : {}),
  };
}
