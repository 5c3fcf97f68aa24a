import type { Writable } from '../loose.ts';
import { htmlToMarkdown } from './html.ts';
import {
  type Bullet,
  type FieldLine,
  findBullets,
  hasWords,
  type LabelLine,
  measureIndent,
  nameColumns,
  readBullet,
  readBulletLabel,
  readFields,
  readLabel,
  readState,
  readTable,
  stripMarks,
} from './list-lines.ts';
import { findState, namesNoOwner, saysNothing, type TaskState } from './vocabulary.ts';

/** One entry of a list that was written as text. Only tasks have more than a text. */
export interface ListEntry {
  readonly text: string;
  readonly owner?: string;
  /** As it was written. */
  readonly due?: string;
  readonly state?: TaskState;
}

export interface ListFrame {
  readonly kind: 'tasks' | 'decisions';
  /** Whether the report names a person of this name. */
  readonly isPerson: (name: string) => boolean;
  /** Hears of each line and cell that is lost, but for headings. */
  readonly onSkipped: () => void;
}

/**
 * The entries of a list in Markdown or HTML: bullets of any script, lines that count up from 1, the rows of a table, or the
 * lines of a text without any of them. What is indented below an entry belongs to it. `Owner:` and `Due:` lines and columns
 * become fields of a task, and a label that can be a name (a bold line, a line that ends in a colon, `【…】`) becomes the owner
 * of the tasks below it. Other labels stand before their entries where the list has several. A text that only says that there
 * is nothing has no entries. Takes linear time.
 */
export function readListText(text: string, frame: ListFrame): readonly ListEntry[] {
  const lines = htmlToMarkdown(text).split(/\r?\n/);
  const bullets = findBullets(lines);
  const list = new ListReading(
    frame,
    bullets.some((bullet) => bullet !== undefined),
  );
  for (let at = 0; at < lines.length; at += 1) {
    const rows = readTable(lines, at);
    if (rows.length === 0) list.addLine(lines[at] ?? '', bullets[at], holdsBullets(lines, bullets, at));
    else {
      list.addTable(rows);
      // The line of dashes is no row.
      at += rows.length;
    }
  }
  return list.finish();
}

/** The text of an entry of a list in JSON, without its bullet and check box, and the state that they say. */
export function readMarked(text: string): Pick<ListEntry, 'text' | 'state'> {
  const words = htmlToMarkdown(text).trim();
  const bullet = readBullet(words);
  const marked = readState(bullet === undefined || bullet.number !== undefined ? words : bullet.rest);
  return marked.text === '' ? { text: words } : marked;
}

/** So much further to the right begins what is inside of an entry, not beside it. */
const INNER_INDENT = 2;

/** Whether deeper bullets follow a bullet. */
function holdsBullets(
  lines: readonly string[],
  bullets: readonly (Bullet | undefined)[],
  at: number,
): boolean {
  const next = bullets[lines[at + 1]?.trim() === '' ? at + 2 : at + 1];
  return next !== undefined && next.indent >= (bullets[at]?.indent ?? Infinity) + INNER_INDENT;
}

interface Label extends LabelLine {
  /** Of a bullet whose deeper bullets are the entries. */
  readonly indent?: number | undefined;
  /** An `Owner:` line. */
  readonly isField?: boolean;
  /** The whole line: it is an entry where no entry follows. */
  readonly words: string;
  /** How many entries stand before it. */
  readonly place: number;
  isUsed: boolean;
}

interface Item {
  readonly indent: number;
  readonly label: Label | undefined;
  readonly parts: string[];
  owner?: string;
  due?: string;
  state?: TaskState | undefined;
}

/** The entries so far. Lines come in their order. */
class ListReading {
  readonly #frame: ListFrame;
  readonly #hasBullets: boolean;
  readonly #items: Item[] = [];
  readonly #labels: Label[] = [];
  #label: Label | undefined;
  #item: Item | undefined;
  #isAfterGap = false;

  constructor(frame: ListFrame, hasBullets: boolean) {
    this.#frame = frame;
    this.#hasBullets = hasBullets;
  }

  addLine(line: string, bullet: Bullet | undefined, holdsMore: boolean): void {
    const words = line.trim();
    this.#isAfterGap ||= words === '';
    if (!hasWords(words)) return;
    const indent = measureIndent(line);
    const entry = bullet?.rest ?? words;
    const isInner = this.#isInside(indent, bullet !== undefined);
    const label = isInner ? undefined : this.#readLabel(words, bullet, holdsMore);
    if (this.#frame.kind === 'tasks' && this.#addFields(readFields(entry), entry, isInner)) {
      // They belong to the task above, or to the tasks below.
    } else if (label !== undefined) {
      this.#addLabel({ ...label, words: entry, indent: bullet?.indent });
    } else if (this.#item !== undefined && isInner) {
      this.#item.parts.push(bullet === undefined ? ` ${words}` : joinBullet(this.#item, entry));
    } else if (bullet !== undefined || !this.#hasBullets) {
      this.#addItem(indent, entry);
    } else if (this.#item !== undefined && !this.#isAfterGap) {
      this.#item.parts.push(` ${words}`);
    } else {
      this.#item = undefined;
      this.#frame.onSkipped();
    }
    this.#isAfterGap = false;
  }

  /** The first row is the head. */
  addTable([head = [], ...rows]: readonly (readonly string[])[]): void {
    const { kind, onSkipped } = this.#frame;
    const columns = nameColumns(head, kind);
    for (const row of rows) {
      const cells = head
        .map((name, at) => ({ name, field: columns[at], value: row[at] ?? '' }))
        .filter(({ value }) => hasWords(value) || findState(value) !== undefined);
      const texts = cells.flatMap(({ name, field, value }) =>
        field === 'text' ? [value] : field === undefined ? [`${name}: ${value}`] : [],
      );
      if (texts.length === 0) {
        if (cells.length > 0) onSkipped();
        continue;
      }
      const item = this.#addItem(0, texts.join(' · '));
      for (const { field, value } of cells) {
        if (field === 'owner' || field === 'due' || field === 'state') {
          setField(item, { field, value: stripMarks(value) });
        } else if (field === 'other' && /\p{L}/u.test(value)) onSkipped();
      }
    }
    this.#item = undefined;
    this.#isAfterGap = true;
  }

  finish(): readonly ListEntry[] {
    const alone = new Set(this.#hasBullets ? [] : this.#labels.filter(isAlone));
    const labels = this.#labels.filter((label) => !alone.has(label));
    return writeEntries(insertAlone(this.#items, [...alone]), labels, this.#frame.onSkipped);
  }

  #isInside(indent: number, isBullet: boolean): boolean {
    if (this.#item === undefined) return false;
    return isBullet ? indent >= this.#item.indent + INNER_INDENT : indent > this.#item.indent;
  }

  #readLabel(words: string, bullet: Bullet | undefined, holdsMore: boolean): LabelLine | undefined {
    if (bullet === undefined) return readLabel(words, this.#frame);
    return holdsMore ? readBulletLabel(bullet.rest, this.#frame) : undefined;
  }

  #addItem(indent: number, text: string): Item {
    if (this.#label?.indent !== undefined && indent <= this.#label.indent) this.#label = undefined;
    if (this.#label !== undefined) this.#label.isUsed = true;
    const item: Item = { indent, label: this.#label, parts: [text] };
    this.#items.push(item);
    this.#item = item;
    return item;
  }

  #addLabel(found: Omit<Label, 'isUsed' | 'place'>): void {
    this.#label = { ...found, place: this.#items.length, isUsed: false };
    this.#labels.push(this.#label);
    this.#item = undefined;
  }

  /** Whether the line says what the task above it has, or who the owner of the tasks below is. */
  #addFields(fields: readonly FieldLine[], words: string, isInner: boolean): boolean {
    const [first, ...others] = fields;
    if (first === undefined) return false;
    const item = this.#item;
    if (first.field === 'text') {
      const added = this.#addItem(0, first.value);
      for (const field of others) setField(added, field);
      return true;
    }
    // Where such a line began a group, the next one that is not indented begins the next group.
    const isOfNext = this.#label?.isField === true && first.field === 'owner' && !isInner;
    if (item === undefined || isOfNext) {
      if (first.field !== 'owner' || others.length > 0) return false;
      this.#addLabel({ text: first.value, owner: first.value, isHeading: false, isField: true, words });
      return true;
    }
    // A second owner or date is of another task.
    if (fields.some(({ field }) => (field === 'owner' || field === 'due') && item[field] !== undefined)) {
      return false;
    }
    for (const field of fields) if (!setField(item, field)) item.parts.push(joinBullet(item, words));
    return true;
  }
}

/** False for what a task has no field for. */
function setField(item: Item, { field, value }: FieldLine): boolean {
  if (field === 'owner') item.owner = value;
  else if (field === 'due') item.due = value;
  else if (field === 'state' && findState(value) !== undefined) item.state = findState(value);
  else return false;
  return true;
}

function joinBullet({ parts }: Item, entry: string): string {
  return /[.:;!?。：；！？]$/.test(parts.at(-1)?.slice(-1) ?? '') ? ` ${entry}` : `; ${entry}`;
}

/** A line that looks like a label and has no entries below it is an entry. */
function isAlone({ text, isHeading, isUsed }: Label): boolean {
  return !isUsed && !isHeading && text !== undefined;
}

/** Puts each of these lines where it stood among the entries. */
function insertAlone(items: readonly Item[], alone: readonly Label[]): readonly Item[] {
  const all: Item[] = [];
  let next = 0;
  for (let at = 0; at <= items.length; at += 1) {
    for (let label = alone[next]; label !== undefined && label.place <= at; label = alone[next]) {
      all.push({ indent: 0, label: undefined, parts: [label.words] });
      next += 1;
    }
    const item = items[at];
    if (item !== undefined) all.push(item);
  }
  return all;
}

const MAX_LABEL_LENGTH = 60;

function writeEntries(
  items: readonly Item[],
  labels: readonly Label[],
  onSkipped: () => void,
): readonly ListEntry[] {
  const topics = labels.filter((label) => label.isUsed && isTopic(label));
  const shown = new Set(
    topics.length > 1 ? topics.filter(({ text = '' }) => text.length <= MAX_LABEL_LENGTH) : [],
  );
  for (const label of labels) {
    const isTold = label.isUsed && (!isTopic(label) || shown.has(label));
    if (label.text !== undefined && !label.isHeading && !isTold) onSkipped();
  }
  return items.flatMap((item) => {
    const { label } = item;
    const { text, state = item.state ?? label?.state } = readState(item.parts.join(''));
    if (saysNothing(text)) return [];
    // What looked like an owner is a topic of tasks with owners of their own.
    const isOther = item.owner !== undefined && label?.owner !== undefined && item.owner !== label.owner;
    const topic = label !== undefined && (isOther || shown.has(label)) ? `${label.text ?? ''}: ` : '';
    return [makeEntry(topic + text, item.owner ?? label?.owner ?? '', item.due ?? '', state)];
  });
}

/** Whether a label says what its entries are about, and not who does them or how they ended. */
function isTopic({ text, owner, state }: Label): boolean {
  return text !== undefined && owner === undefined && state === undefined;
}

function makeEntry(text: string, owner: string, due: string, state: TaskState | undefined): ListEntry {
  const entry: Writable<ListEntry> = { text };
  if (!namesNoOwner(owner)) entry.owner = owner;
  if (!namesNoOwner(due)) entry.due = due;
  if (state !== undefined) entry.state = state;
  return entry;
}
