import { decodeReferences } from './html-tree.ts';
import { followsOrdinal } from './ordinals.ts';
import {
  type Field,
  findColumn,
  findField,
  findState,
  isAmbiguous,
  isPlausibleDue,
  isPlausibleOwner,
  isYes,
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
  /^(?:[-*–—](?=\s)|\+(?=\s+[^\s\d])|[•・●○◦▪‣]|(\d{1,3})[.)](?=\s)|(?=\[[ xX✓✔-]?\]\s?[^(\s])|(?=[☐☑✅✔✓⬜❌⏳]|🔲))/;

/** Whether a text begins with a check box. */
export function hasBox(text: string): boolean {
  return /^(?:\[[ xX✓✔-]?\]\s?[^(\s]|[☐☑⬜]|🔲)/.test(text);
}

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

const markSigns: ReadonlySet<string> = new Set('*_` \t\u00A0\u3000');

/** Removes the marks around a name or a value, and writes character references out. */
export function stripMarks(text: string): string {
  return trimSigns(decodeReferences(text), markSigns);
}

/** Removes signs at both ends. An expression for the end would take quadratic time. */
export function trimSigns(text: string, signs: ReadonlySet<string>): string {
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

/** Up to three words with a colon behind them, at the begin of a line or behind a blank or a sign. */
const fieldPattern =
  /(?<![\p{L}\p{M}\p{N}])([\p{L}\p{M}'()-]{1,20}(?:[ \u00A0][\p{L}\p{M}\d'()-]{1,20}){0,2})[*_]{0,3}\s?[:：]/gu;

/**
 * Reads the fields of a line that begins with one: `Owner: Ann`, `**Due:** Friday`, `Owner: Ann | Due: Friday`. Empty where the
 * line begins otherwise, and where a value cannot be one: `Owner: clarify who owns billing` is a task.
 */
export function readFields(words: string): readonly FieldLine[] {
  if (isLong(words)) return [];
  const line = stripMarks(words).replace(/^#{1,6}\s/, '');
  const places: { readonly field: Field; readonly from: number; readonly to: number }[] = [];
  for (const match of line.matchAll(fieldPattern)) {
    const [whole, name = ''] = match;
    const found = findNamedField(name);
    if (found === undefined || (places.length === 0 && match.index + found.from > 0)) {
      if (places.length === 0) return [];
      continue;
    }
    places.push({ field: found.field, from: match.index + found.from, to: match.index + whole.length });
  }
  const fields = places.map(({ field, to }, at) => ({
    field,
    value: trimSigns(line.slice(to, places[at + 1]?.from), valueSigns),
  }));
  return fields.every(isPlausible) ? fields : [];
}

/** The field whose name stands at the end of some words, the longest name first. */
function findNamedField(words: string): { readonly field: Field; readonly from: number } | undefined {
  // `Action item 2: Send the offer`.
  const name = words.replace(/[ \u00A0]\d{1,3}$/, '');
  for (let from = 0; from !== -1; from = nextWord(name, from)) {
    const rest = name.slice(from);
    const field = findState(rest) === undefined ? findField(rest) : undefined;
    if (field !== undefined) return { field, from };
  }
  return undefined;
}

function nextWord(words: string, from: number): number {
  const blank = words.slice(from).search(/[ \u00A0]/);
  return blank === -1 ? -1 : from + blank + 1;
}

const valueSigns: ReadonlySet<string> = new Set('*_`|;；,、，·/／–—-( \t\u00A0\u3000');

function isPlausible({ field, value }: FieldLine): boolean {
  if (field === 'text') return value !== '';
  if (field === 'owner') return isPlausibleOwner(value);
  return field !== 'due' || isPlausibleDue(value);
}

/** Signs that say that a task is done, unless every task of a list has one: then they are bullets. */
const checkSigns = /^[✅✔✓]\uFE0F?\s*/;

export function hasCheckSign(text: string): boolean {
  return checkSigns.test(text);
}

/**
 * The text of a task without its check box, the word for its state in front and the strokes through it, and the state that
 * they say: `[x] …`, `DONE: …`, `~~…~~`, `… (done)`, `… – erledigt`.
 */
export function readState(text: string): { readonly text: string; readonly state?: TaskState } {
  const [box = '', inner] =
    /^(?:\*{0,2}\[([^[\]]{0,20})\]\*{0,2}(?:\s+|(?=[^(\s]))|(?:[☐☑✅✔✓⬜]|🔲)\uFE0F?\s*)/.exec(text) ?? [];
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
  return isMarkedDone(words) ? { text: words, state: 'done' } : { text: words };
}

/** Whether a remark behind a task says that it is done. Others may speak of what the task is about: `Refund order 881 (cancelled)`. */
function isMarkedDone(words: string): boolean {
  return /(?:[(（[]|\s[–—-]\s)(?:done|erledigt|fait|hecho|feito|fatto|gedaan|zrobione|hotovo|kész|готово|完了|済|対応済み|완료)[)）\]]?$|[✅✔]\uFE0F?$/i.test(
    words.slice(-20),
  );
}

function readSign(sign: string): TaskState | undefined {
  return /^[☑✅✔✓]/.test(sign) ? 'done' : undefined;
}

function readBox(inner: string): TaskState | undefined {
  return inner === '-' ? 'cancelled' : findState(inner);
}

/** The state in a column such as `Status`, `Done`: `erledigt am 20.7.`, `yes`. */
export function readStateCell(value: string): TaskState | undefined {
  const [first = ''] = value.trim().split(/\s/);
  return isYes(value) ? 'done' : (findState(value) ?? (isAmbiguous(first) ? undefined : findState(first)));
}

/** A decision without its check box. Strokes and words such as `Cancelled:` stay: without them it would say the opposite. */
export function dropBox(text: string): string {
  return text.replace(/^(?:\[[ xX✓✔-]?\]\s+|(?:[☐☑✅✔✓⬜]|🔲)\uFE0F?\s*)/, '');
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
    rows.push(fitRow(splitRow(lines[next] ?? ''), names.length));
  return rows;
}

/** A bar in a text is no new cell: what is too much belongs to the last one. */
function fitRow(cells: readonly string[], width: number): readonly string[] {
  return cells.length <= width ? cells : [...cells.slice(0, width - 1), cells.slice(width - 1).join(' | ')];
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
  if (seen.has('text')) {
    // `Name` beside the text is who does it.
    const name = head.findIndex((one, at) => fields[at] === undefined && /^name$/i.test(stripMarks(one)));
    return kind === 'tasks' && name !== -1 && !seen.has('owner') ? fields.with(name, 'owner') : fields;
  }
  return first === -1 ? fields : fields.with(first, 'text');
}
