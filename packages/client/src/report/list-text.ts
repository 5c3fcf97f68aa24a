import { htmlToMarkdown } from './html.ts';
import { insertAlone, type Item, type Label, type ListEntry, writeEntries } from './list-entries.ts';
import {
  announcesList,
  type LabelFrame,
  type LabelLine,
  readBulletLabel,
  readLabel,
  readLabelText,
} from './list-labels.ts';
import {
  type Bullet,
  dropBox,
  type FieldLine,
  findBullets,
  hasBox,
  hasNumber,
  hasWords,
  measureIndent,
  nameColumns,
  readBullet,
  readFields,
  readState,
  readStateCell,
  readTable,
  stripMarks,
} from './list-lines.ts';
import { saysNothing } from './says-nothing.ts';
import { isNo, namesNone } from './vocabulary.ts';

export interface ListFrame extends LabelFrame {
  /** Hears of each line and cell that is lost. */
  readonly onSkipped: () => void;
}

/**
 * The entries of a list in Markdown or HTML: bullets of any script, lines that count up from 1, the rows of a table, and lines
 * of text beside them. What is indented below an entry belongs to it. `Owner:` and `Due:` lines and columns become fields of a
 * task; a label that names a person is the owner of the tasks below it, and any other label stands before its entries. A text
 * that only says that there is nothing has no entries. Takes linear time.
 */
export function readListText(text: string, frame: ListFrame): readonly ListEntry[] {
  const lines = htmlToMarkdown(text).split(/\r?\n/).flatMap(splitBreaks);
  const bullets = findBullets(lines);
  const list = new ListReading(
    frame,
    bullets.some((bullet) => bullet !== undefined),
  );
  for (let at = 0; at < lines.length; at += 1) {
    const rows = readTable(lines, at);
    if (rows.length === 0) list.addLine(lines[at] ?? '', bullets[at], findNext(lines, bullets, at));
    else {
      list.addTable(rows);
      // The line of dashes is no row.
      at += rows.length;
    }
  }
  return list.finish();
}

/** The text of a task in a list of JSON, without its bullet and check box, and the state that they say. */
export function readTaskMarks(text: string): Pick<ListEntry, 'text' | 'state'> {
  const words = dropBullet(htmlToMarkdown(text).trim());
  const marked = readState(words);
  return marked.text === '' ? { text: words } : marked;
}

/** The text of a decision in a list of JSON, without its bullet and check box. */
export function readDecisionText(text: string): string {
  const words = dropBullet(htmlToMarkdown(text).trim());
  return dropBox(words) || words;
}

function dropBullet(words: string): string {
  const bullet = readBullet(words);
  return bullet === undefined || bullet.number !== undefined ? words : bullet.rest;
}

/** In a row of a table `<br>` is no line end. */
function splitBreaks(line: string): readonly string[] {
  return line.includes('<br') && !line.includes('|') ? line.split(/<br\s?\/?>/i) : [line];
}

interface NextLine {
  readonly words: string;
  readonly bullet: Bullet | undefined;
}

const MAX_GAP = 3;

/** The next line with words, a few empty lines further at most. */
function findNext(
  lines: readonly string[],
  bullets: readonly (Bullet | undefined)[],
  at: number,
): NextLine | undefined {
  let next = at + 1;
  while (next < at + MAX_GAP && lines[next]?.trim() === '') next += 1;
  const line = lines[next];
  return line === undefined
    ? undefined
    : { words: bullets[next]?.rest ?? line.trim(), bullet: bullets[next] };
}

/** A line and what stands around it. */
interface LinePlace {
  readonly words: string;
  readonly isInner: boolean;
  readonly bullet: Bullet | undefined;
  readonly next: NextLine | undefined;
}

/** So much further to the right begins what is inside of an entry, not beside it. */
const INNER_INDENT = 2;

/** The entries so far. Lines come in their order. */
class ListReading {
  readonly #frame: ListFrame;
  readonly #hasBullets: boolean;
  readonly #items: Item[] = [];
  readonly #labels: Label[] = [];
  #heading: Label | undefined;
  #label: Label | undefined;
  #item: Item | undefined;
  #isAfterGap = false;

  constructor(frame: ListFrame, hasBullets: boolean) {
    this.#frame = frame;
    this.#hasBullets = hasBullets;
  }

  addLine(line: string, bullet: Bullet | undefined, next: NextLine | undefined): void {
    const words = line.trim();
    this.#isAfterGap ||= words === '';
    if (!hasWords(words)) return;
    this.#addWords(words, measureIndent(line), bullet, next);
    this.#isAfterGap = false;
  }

  #addWords(words: string, indent: number, bullet: Bullet | undefined, next: NextLine | undefined): void {
    const entry = bullet?.rest ?? words;
    const { kind } = this.#frame;
    // A task with a box is one of its own, also below another.
    const isInner = this.#isInside(indent, bullet !== undefined) && !(kind === 'tasks' && hasBox(entry));
    if (kind === 'tasks' && this.#addFields(readFields(entry), { words: entry, isInner, bullet, next }))
      return;
    if (this.#isOtherField(entry)) return;
    const label = isInner ? undefined : this.#readLabel(words, bullet, next);
    if (label === 'entry') this.#addItem(indent, readLabelText(entry));
    else if (label !== undefined) this.#addLabel({ ...label, words: entry, indent: bullet?.indent });
    else if (this.#item !== undefined && isInner) {
      this.#item.parts.push(bullet === undefined ? ` ${words}` : joinBullet(this.#item, entry));
    } else if (bullet === undefined && this.#hasBullets && !this.#isOwnLine(words)) {
      this.#item?.parts.push(` ${words}`);
    } else if (bullet === undefined && this.#isIntroduction(words, next)) this.#frame.onSkipped();
    else {
      // Prose behind a group is not of the group.
      if (bullet === undefined && this.#hasBullets && this.#isAfterGap)
        this.#label = this.#heading = undefined;
      this.#addItem(indent, entry);
    }
  }

  /** The first row is the head. */
  addTable([head = [], ...rows]: readonly (readonly string[])[]): void {
    const { kind, onSkipped } = this.#frame;
    const columns = nameColumns(head, kind);
    for (const row of rows) {
      const cells = head
        .map((name, at) => ({ name, field: columns[at], value: row[at] ?? '' }))
        .filter(({ value }) => hasWords(value) || readStateCell(value) !== undefined);
      const texts = cells.flatMap(({ name, field, value }) =>
        field === 'text' ? [value] : field === undefined ? [`${name}: ${value}`] : [],
      );
      if (texts.length === 0) {
        if (cells.length > 0) onSkipped();
        continue;
      }
      const item = this.#addItem(0, texts.join(' · '));
      for (const { name, field, value } of cells) {
        if (field === 'owner' || field === 'due' || field === 'state') {
          const isKept = setField(item, { field, value: stripMarks(value) });
          if (!isKept && !namesNone(value) && !isNo(value)) item.parts.push(` · ${name}: ${value}`);
        } else if (field === 'other' && /\p{L}/u.test(value)) onSkipped();
      }
    }
    this.#item = undefined;
    this.#isAfterGap = true;
  }

  finish(): readonly ListEntry[] {
    const unused = this.#labels.filter(
      ({ isUsed, text }) => !isUsed && text !== undefined && !saysNothing(text),
    );
    const alone = unused.filter((label) => !isOfPerson(label, this.#frame));
    for (let lost = unused.length - alone.length; lost > 0; lost -= 1) this.#frame.onSkipped();
    return writeEntries(insertAlone(this.#items, alone), this.#labels, this.#frame.kind);
  }

  #isInside(indent: number, isBullet: boolean): boolean {
    if (this.#item === undefined) return false;
    return isBullet ? indent >= this.#item.indent + INNER_INDENT : indent > this.#item.indent;
  }

  /** Adds a field that tasks do not have, such as `**Priority:** high`, to a task with fields. */
  #isOtherField(entry: string): boolean {
    const item = this.#item;
    if (item === undefined || (item.owner ?? item.due ?? item.state) === undefined) return false;
    if (!/^\*\*[^*]{1,30}(?:[:：]\*\*|\*\*[:：])\s/.test(entry)) return false;
    item.parts.push(joinBullet(item, entry));
    return true;
  }

  /** Whether a line without a bullet begins an entry of its own. */
  #isOwnLine(words: string): boolean {
    return this.#item === undefined || this.#isAfterGap || hasNumber(words);
  }

  /** A sentence in front that only announces the list. */
  #isIntroduction(words: string, next: NextLine | undefined): boolean {
    return this.#items.length === 0 && next?.bullet !== undefined && announcesList(words);
  }

  /** `entry`: it looks like a label, but the fields of a task follow, so it is the task. */
  #readLabel(
    words: string,
    bullet: Bullet | undefined,
    next: NextLine | undefined,
  ): LabelLine | 'entry' | undefined {
    const { kind, people } = this.#frame;
    const holdsMore =
      bullet !== undefined &&
      next?.bullet !== undefined &&
      next.bullet.indent >= bullet.indent + INNER_INDENT;
    const label =
      bullet === undefined
        ? readLabel(words, this.#frame)
        : holdsMore
          ? readBulletLabel(bullet.rest, this.#frame)
          : undefined;
    if (label?.text === undefined || kind === 'decisions' || next === undefined) return label;
    const [field] = readFields(next.words);
    const isTask = field !== undefined && field.field !== 'text' && !people.has(label.text);
    return isTask ? 'entry' : label;
  }

  #addItem(indent: number, text: string): Item {
    if (this.#label?.indent !== undefined && indent <= this.#label.indent) this.#label = this.#heading;
    const label = this.#label;
    for (let used = label; used !== undefined && !used.isUsed; used = used.heading) used.isUsed = true;
    const item: Item = { indent, label, parts: [text] };
    this.#items.push(item);
    this.#item = item;
    return item;
  }

  #addLabel(found: Omit<Label, 'isUsed' | 'place' | 'heading'>): void {
    let heading = this.#heading;
    while (found.level > 0 && heading !== undefined && heading.level >= found.level)
      heading = heading.heading;
    const label: Label = { ...found, heading, place: this.#items.length, isUsed: false };
    if (found.level > 0) this.#heading = label;
    this.#label = label;
    this.#labels.push(label);
    this.#item = undefined;
  }

  /** Whether the line says what the task above it has, or who the owner of the tasks below is. */
  #addFields(fields: readonly FieldLine[], { words, isInner, bullet, next }: LinePlace): boolean {
    const [first, ...others] = fields;
    if (first === undefined) return false;
    const task = fields.find(({ field }) => field === 'text');
    if (task !== undefined && (first.field === 'text' || first.field === 'owner')) {
      const added = this.#addItem(0, task.value);
      for (const field of fields) if (field !== task) setField(added, field);
      return true;
    }
    const item = this.#item;
    // Where such a line began a group, the next one that is not indented begins the next group.
    const isGroup =
      this.#label?.isField === true ||
      (this.#isAfterGap && bullet === undefined && next?.bullet !== undefined);
    const isOfNext = isGroup && first.field === 'owner' && others.length === 0 && !isInner;
    if (item === undefined || isOfNext) {
      if (first.field !== 'owner' || others.length > 0) return false;
      this.#addLabel({ text: first.value, owner: first.value, level: 0, isField: true, words });
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
  const state = field === 'state' ? readStateCell(value) : undefined;
  if (field === 'owner') item.owner = value;
  else if (field === 'due') item.due = value;
  else if (state !== undefined) item.state = state;
  else return false;
  return true;
}

function joinBullet({ parts }: Item, entry: string): string {
  return /[.:;!?。：；！？]$/.test(parts.at(-1)?.slice(-1) ?? '') ? ` ${entry}` : `; ${entry}`;
}

/** A name or a state without entries is no entry itself. */
function isOfPerson({ text = '', owner, state, isField }: Label, { people }: ListFrame): boolean {
  if (state !== undefined || isField === true) return true;
  return owner !== undefined && (people.has(text) || namesNone(text));
}
