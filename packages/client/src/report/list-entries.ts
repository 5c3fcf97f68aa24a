import type { Writable } from '../loose.ts';
import { type LabelFrame, type LabelLine, readLabelText } from './list-labels.ts';
import { dropBox, hasCheckSign, readState } from './list-lines.ts';
import { saysNothing } from './says-nothing.ts';
import { namesNone, type TaskState } from './vocabulary.ts';

/** One entry of a list that was written as text. Only tasks have more than a text. */
export interface ListEntry {
  readonly text: string;
  readonly owner?: string;
  /** As it was written. */
  readonly due?: string;
  readonly state?: TaskState;
}

/** A label with its place in the list. */
export interface Label extends LabelLine {
  /** The indent of a bullet whose deeper bullets are the entries. */
  readonly indent?: number | undefined;
  /** An `Owner:` line. */
  readonly isField?: boolean;
  /** The heading above it. */
  readonly heading?: Label | undefined;
  /** The whole line: it is an entry where no entry follows. */
  readonly words: string;
  /** How many entries stand before it. */
  readonly place: number;
  isUsed: boolean;
}

/** An entry before its labels are applied. */
export interface Item {
  readonly indent: number;
  readonly label: Label | undefined;
  readonly parts: string[];
  owner?: string;
  due?: string;
  state?: TaskState | undefined;
}

/** Puts labels without entries where they stood. */
export function insertAlone(items: readonly Item[], alone: readonly Label[]): readonly Item[] {
  const all: Item[] = [];
  let next = 0;
  for (let at = 0; at <= items.length; at += 1) {
    for (let label = alone[next]; label !== undefined && label.place <= at; label = alone[next]) {
      all.push({ indent: 0, label: undefined, parts: [readLabelText(label.words)] });
      next += 1;
    }
    const item = items[at];
    if (item !== undefined) all.push(item);
  }
  return all;
}

/** The entries with what their labels say. */
export function writeEntries(
  items: readonly Item[],
  labels: readonly Label[],
  kind: LabelFrame['kind'],
): readonly ListEntry[] {
  const headings = labels.filter(({ level, text }) => level > 0 && text !== undefined);
  // A single first heading is the title of the list.
  const title = headings.length === 1 && headings[0]?.level === 1 ? headings[0] : undefined;
  const isEachChecked = items.every(({ parts }) => hasCheckSign(parts[0] ?? ''));
  return items.flatMap((item) => {
    const { label } = item;
    const written = item.parts.join('');
    const marked = kind === 'tasks' ? readState(written) : { text: dropBox(written) };
    const { text } = marked;
    if (saysNothing(text) && (kind === 'tasks' || label?.text === undefined)) return [];
    const above = inherit(label);
    const topics = above.labels.filter((one) => one !== title && isTopic(one, item));
    const entry: Writable<ListEntry> = { text: [...topics.map((one) => one.text), text].join(': ') };
    const owner = item.owner ?? above.owner ?? '';
    const state =
      (isEachChecked || !('state' in marked) ? undefined : marked.state) ?? item.state ?? above.state;
    if (!namesNone(owner)) entry.owner = owner;
    if (item.due !== undefined && !namesNone(item.due)) entry.due = item.due;
    if (state !== undefined) entry.state = state;
    return [entry];
  });
}

/**
 * The labels that an entry stands under, the outermost first, and what they say. Between a heading and its entries a label that
 * names no person ends what the heading says of owner and state.
 */
function inherit(label: Label | undefined) {
  const labels: Label[] = [];
  let owner: string | undefined;
  let state: LabelLine['state'];
  let isEnded = false;
  for (let one = label; one !== undefined; one = one.heading) {
    labels.unshift(one);
    if (!isEnded) {
      owner ??= one.owner;
      state ??= one.state;
    }
    isEnded ||= one.level === 0 && one.owner === undefined && one.state !== 'open';
  }
  return { labels, owner, state: state === 'open' ? undefined : state };
}

/** Whether a label says what an entry is about. What looked like an owner does where the task has another one. */
function isTopic(label: Label, item: Item): boolean {
  if (label.text === undefined || label.state !== undefined) return false;
  return label.owner === undefined || (item.owner !== undefined && item.owner !== label.owner);
}
