import { decodeReferences } from './html-tree.ts';
import { followsOrdinal } from './ordinals.ts';
import type { KnownPeople } from './people.ts';
import {
  type Field,
  findColumn,
  findField,
  findState,
  isAmbiguous,
  isListName,
  looksLikeOwner,
  namesList,
  namesNone,
  type TaskState,
} from './vocabulary.ts';

/** What a single line of a list says, before the lines are put together. */

/** A longer line is an entry or a part of one, whatever it looks like. */
const MAX_LINE_LENGTH = 4000;

/** A line that begins an entry. */
export interface Bullet {
  readonly indent: number;
  /** The line without its bullet. */
  readonly rest: string;
}

/** The lines that begin with a bullet and say something, by their index. A number is a bullet only where lines count up from 1. */
export function findBullets(lines: readonly string[]): readonly (Bullet | undefined)[] {
  const counts: { indent: number; next: number }[] = [];
  return lines.map((line) => {
    const words = line.trim();
    if (isLong(words) || !hasWords(words)) return undefined;
    const bullet = readBullet(words);
    if (bullet === undefined) return undefined;
    const { rest, number } = bullet;
    const indent = measureIndent(line);
    if (number === undefined) return { indent, rest };
    // Right-aligned numbers move by a blank.
    const level = counts.findIndex((count) => Math.abs(count.indent - indent) <= 1);
    const isNext = number === 1 || counts[level]?.next === number;
    if (!isNext || followsOrdinal(rest)) return undefined;
    // What was counted deeper has ended.
    if (level !== -1) counts.length = level;
    if (counts.length < MAX_LEVELS) counts.push({ indent, next: number + 1 });
    return { indent, rest };
  });
}

const MAX_LEVELS = 20;

const bulletPattern =
  /^(?:[-*–—](?=\s)|\+(?=\s+[^\s\d])|[•・●○◦▪‣]|(\d{1,3})[.)](?=\s)|(?=\[[ xX✓✔-]?\]\s)|(?=[☐☑✅✔✓]))/;

/** Whether a line begins with a number that may be one of a list. */
export function hasNumber(words: string): boolean {
  return /^\d{1,4}[.)]\s/.test(words);
}

/** A bullet at the begin of a line, or a number that may be one. `+ 20 %` is a sum. */
export function readBullet(words: string): { readonly rest: string; readonly number?: number } | undefined {
  const [marker, digits] = bulletPattern.exec(words) ?? [];
  if (marker === undefined) return undefined;
  const rest = words.slice(marker.length).trimStart();
  return digits === undefined ? { rest } : { rest, number: Number(digits) };
}

/** A tab is four blanks wide, an ideographic blank two. */
export function measureIndent(line: string): number {
  let width = 0;
  for (const sign of line) {
    if (sign === ' ') width += 1;
    else if (sign === '\u3000') width += 2;
    else if (sign === '\t') width += 4;
    else break;
  }
  return width;
}

const wordPattern = /[\p{L}\p{N}]/u;

export function hasWords(text: string): boolean {
  return wordPattern.test(text);
}

function isLong(words: string): boolean {
  return words.length > MAX_LINE_LENGTH;
}

/** A line that says something about the entries below it. */
export interface LabelLine {
  /** Absent where it only says that this is the list. */
  readonly text?: string;
  /** Who has to do the tasks below; it may say that there is no owner. */
  readonly owner?: string;
  readonly state?: TaskState;
  /** Level of a heading, from 1; 0: no heading. */
  readonly level: number;
}

export interface LabelFrame {
  readonly kind: 'tasks' | 'decisions';
  /** The names of people that the report knows. */
  readonly people: KnownPeople;
}

/** A longer line is an entry, whatever it looks like. */
const MAX_LABEL_LENGTH = 120;

/**
 * Reads a heading, a bold line, a line that ends in a colon, `【…】`, `■…` or the name of a person as the label of what follows.
 * Where the report names people, only they are owners; else what can be a name is one.
 */
export function readLabel(words: string, { kind, people }: LabelFrame): LabelLine | undefined {
  if (words.length > MAX_LABEL_LENGTH) return undefined;
  const level = /^(#{1,6})\s/.exec(words)?.[1]?.length ?? 0;
  const isMarked = level > 0 || isBold(words) || isBracketed(words) || endsInColon(words);
  const text = readLabelText(words);
  if (!isMarked && !people.isName(text) && !isListName(text)) return undefined;
  if (namesList(text)) return { level };
  if (kind === 'decisions') return { text, level };
  const state = findState(text);
  if (state !== undefined) return { text, state, level };
  const isOwner = people.has(text) || namesNone(text) || (people.isEmpty && looksLikeOwner(text, level > 0));
  return isOwner ? { text, owner: text, level } : { text, level };
}

/** The words of a label without its marks. */
export function readLabelText(words: string): string {
  return trimSigns(decodeReferences(words), labelSigns);
}

/** The owner whom a bullet names for its deeper bullets. Any other bullet is an entry. */
export function readBulletLabel(rest: string, frame: LabelFrame): LabelLine | undefined {
  if (frame.kind !== 'tasks' || rest.length > MAX_LABEL_LENGTH) return undefined;
  const text = readLabelText(rest);
  const isMarked = isBold(rest) || endsInColon(rest);
  const isKnown = isMarked ? frame.people.has(text) : frame.people.isName(text);
  const isOwner = isKnown || (isMarked && frame.people.isEmpty && looksLikeOwner(text, true));
  return isOwner ? { text, owner: text, level: 0 } : undefined;
}

function isBold(words: string): boolean {
  const inner = words.replace(/[:：]$/, '');
  const mark = inner.slice(0, 2);
  if (inner.length < 5 || (mark !== '**' && mark !== '__') || !inner.endsWith(mark)) return false;
  return inner.indexOf(mark, 2) === inner.length - 2;
}

/** As minutes in Japanese have the names above the tasks. */
function isBracketed(words: string): boolean {
  const inner = words.replace(/[:：]$/, '');
  if (/^[■□◆◇▶►▼]/.test(inner)) return true;
  return inner.startsWith('【') && inner.indexOf('】') === inner.length - 1;
}

function endsInColon(words: string): boolean {
  return /[:：][*_]{0,3}$/.test(words.slice(-4));
}

const labelSigns: ReadonlySet<string> = new Set('#*_:：【】■□◆◇▶►▼ \t\u00A0\u3000');
const markSigns: ReadonlySet<string> = new Set('*_` \t\u00A0\u3000');

/** Removes the marks around a name or a value, and writes character references out. */
export function stripMarks(text: string): string {
  return trimSigns(decodeReferences(text), markSigns);
}

/** Removes signs at both ends. An expression for the end would take quadratic time. */
function trimSigns(text: string, signs: ReadonlySet<string>): string {
  let from = 0;
  let to = text.length;
  while (from < to && signs.has(text[from] ?? '')) from += 1;
  while (to > from && signs.has(text[to - 1] ?? '')) to -= 1;
  return text.slice(from, to);
}

export interface FieldLine {
  readonly field: Field;
  readonly value: string;
}

const MAX_FIELD_NAME = 40;

/** Reads `Owner: Ann`, `**Due:** Friday` or `Owner: Ann | Due: Friday`. Empty where a part of the line says anything else. */
export function readFields(words: string): readonly FieldLine[] {
  if (isLong(words)) return [];
  const parts = words.split(/[|;；·、，]|,\s/).map(readField);
  const fields = parts.filter((field) => field !== undefined);
  if (fields.length === parts.length) return fields;
  const whole = readField(words);
  return whole === undefined ? [] : [whole];
}

function readField(part: string): FieldLine | undefined {
  const colon = part.slice(0, MAX_FIELD_NAME).search(/[:：]/);
  if (colon === -1) return undefined;
  // `Action item 2: Send the offer`.
  const name = stripMarks(part.slice(0, colon))
    .replace(/^#{1,6}\s/, '')
    .replace(/\s\d{1,3}$/, '');
  // `DONE: Call` is a task.
  const field = findState(name) === undefined ? findField(name) : undefined;
  const value = stripMarks(part.slice(colon + 1));
  if (field === undefined || (field === 'text' && value === '')) return undefined;
  return isAmbiguous(name) && !isPlausible(field, value) ? undefined : { field, value };
}

/** Whether a value can be one of a name that begins sentences too: `Termin: mit Kunde vereinbaren` is a task. */
function isPlausible(field: Field, value: string): boolean {
  if (field === 'due') return /\d/.test(value) || value.split(/\s+/).length <= 2;
  return field !== 'owner' || looksLikeOwner(value, false);
}

/** Signs that say that a task is done, unless every task of a list has one: then they are bullets. */
const checkSigns = /^[✅✔✓]\uFE0F?\s*/;

export function hasCheckSign(text: string): boolean {
  return checkSigns.test(text);
}

/**
 * The text of a task without its check box, the word for its state in front and the strokes through it, and the state that
 * they say: `[x] …`, `DONE: …`, `~~…~~`, `… (cancelled)`, `… – erledigt`.
 */
export function readState(text: string): { readonly text: string; readonly state?: TaskState } {
  const [box = '', inner] = /^(?:\[([^[\]]{0,20})\]\s+|[☐☑✅✔✓]\uFE0F?\s*)/.exec(text) ?? [];
  const boxed = inner === undefined ? readSign(box) : readBox(inner);
  if (inner !== undefined && boxed === undefined && inner.trim() !== '') return { text };
  const words = text.slice(box.length);
  const [, struck, remark = ''] = /^~~([^~]+)~~\s*(\([^()]*\)|（[^（）]*）)?$/.exec(words) ?? [];
  if (struck !== undefined) {
    return { text: `${struck}${remark === '' ? '' : ` ${remark}`}`, state: boxed ?? 'cancelled' };
  }
  if (boxed !== undefined) return { text: words, state: boxed };
  const [begin = '', word = ''] =
    /^\*{0,2}([^\s:：*]{2,20})\*{0,2}[:：]\*{0,2}\s*/.exec(words.slice(0, 40)) ?? [];
  const before = isAmbiguous(word) ? undefined : findState(word);
  if (before !== undefined && begin.length < words.length)
    return { text: words.slice(begin.length), state: before };
  const state = findState(
    /(?:[(（[]|\s[–—-]\s)([^()（）[\]–—-]{1,30}?)[)）\]]?$/.exec(words.slice(-40))?.[1] ?? '',
  );
  return state === undefined ? { text: words } : { text: words, state };
}

/** A decision without its check box. Strokes and words such as `Cancelled:` stay: without them it would say the opposite. */
export function dropBox(text: string): string {
  return text.replace(/^(?:\[[ xX✓✔-]?\]\s+|[☐☑✅✔✓]\uFE0F?\s*)/, '');
}

function readSign(sign: string): TaskState | undefined {
  return sign === '' || sign.startsWith('☐') ? undefined : 'done';
}

function readBox(inner: string): TaskState | undefined {
  return inner === '-' ? 'cancelled' : findState(inner);
}

/** The cells of a table that begins at a line: its head, then its rows without the line of dashes. Empty: no table. */
export function readTable(lines: readonly string[], at: number): readonly (readonly string[])[] {
  const head = lines[at] ?? '';
  const dashes = lines[at + 1] ?? '';
  if (!head.includes('|') || !dashes.includes('-') || isLong(head) || isLong(dashes)) return [];
  const [names, marks] = [splitRow(head), splitRow(dashes)];
  if (names.length !== marks.length || names.length > MAX_COLUMNS || !marks.every(isDashes)) return [];
  const rows = [names];
  for (let next = at + 2; lines[next]?.includes('|') === true; next += 1)
    rows.push(splitRow(lines[next] ?? ''));
  return rows;
}

const MAX_COLUMNS = 50;

function isDashes(cell: string): boolean {
  return /^:?-+:?$/.test(cell);
}

function splitRow(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) =>
    cell
      .replaceAll('\\|', '|')
      .replaceAll(/<br\s?\/?>/gi, ' ')
      .trim(),
  );
}

/** The field of each column. The first column that names no field is the text where no head says which one is. */
export function nameColumns(
  head: readonly string[],
  kind: 'tasks' | 'decisions',
): readonly (Field | undefined)[] {
  const seen = new Set<Field>();
  const fields = head.map((name) => {
    const field = findColumn(stripMarks(name));
    if (field === undefined || field === 'other') return field;
    // A decision has no fields, and a second text stands behind the first.
    if (seen.has(field) || (kind === 'decisions' && field !== 'text')) return undefined;
    seen.add(field);
    return field;
  });
  const first = fields.indexOf(undefined);
  return seen.has('text') || first === -1 ? fields : fields.with(first, 'text');
}
