import { followsOrdinal } from './ordinals.ts';
import {
  type Field,
  findColumn,
  findField,
  findState,
  looksLikeOwner,
  namesList,
  namesNoOwner,
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
  /^(?:[-*–—](?=\s)|\+(?=\s+[^\s\d])|[•・●○◦▪‣]|(\d{1,3})[.)](?=\s)|(?=\[[ xX✓-]\]\s)|(?=[☐☑]))/;

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
  /** Who has to do the tasks below; it may say that nobody has. */
  readonly owner?: string;
  readonly state?: TaskState;
  readonly isHeading: boolean;
}

interface LabelFrame {
  readonly kind: 'tasks' | 'decisions';
  readonly isPerson: (name: string) => boolean;
}

/** Reads a heading, a bold line, a line that ends in a colon, or `【…】` as the label of what follows. */
export function readLabel(words: string, { kind, isPerson }: LabelFrame): LabelLine | undefined {
  if (isLong(words)) return undefined;
  const isHeading = /^#{1,6}\s/.test(words);
  if (!isHeading && !isBold(words) && !isBracketed(words) && !endsInColon(words)) return undefined;
  const text = trimSigns(words, labelSigns);
  if (namesList(text)) return { isHeading };
  if (kind === 'decisions') return { text, isHeading };
  const state = findState(text);
  if (state !== undefined) return { text, state, isHeading };
  const isOwner = isPerson(text) || namesNoOwner(text) || (!isHeading && looksLikeOwner(text));
  return isOwner ? { text, owner: text, isHeading } : { text, isHeading };
}

/** The label of deeper bullets: a bold name, or a known person with a colon. Any other bullet is an entry. */
export function readBulletLabel(rest: string, frame: LabelFrame): LabelLine | undefined {
  if (frame.kind !== 'tasks' || !(isBold(rest) || endsInColon(rest))) return undefined;
  const label = readLabel(rest, frame);
  if (label?.owner === undefined) return undefined;
  return isBold(rest) || frame.isPerson(label.owner) ? label : undefined;
}

function isBold(words: string): boolean {
  const inner = words.replace(/[:：]$/, '');
  const mark = inner.slice(0, 2);
  if (inner.length < 5 || (mark !== '**' && mark !== '__') || !inner.endsWith(mark)) return false;
  return inner.indexOf(mark, 2) === inner.length - 2;
}

function isBracketed(words: string): boolean {
  const inner = words.replace(/[:：]$/, '');
  return inner.startsWith('【') && inner.indexOf('】') === inner.length - 1;
}

function endsInColon(words: string): boolean {
  return /[:：][*_]{0,3}$/.test(words.slice(-4));
}

const labelSigns: ReadonlySet<string> = new Set('#*_:：【】 \t\u00A0\u3000');
const markSigns: ReadonlySet<string> = new Set('*_` \t\u00A0\u3000');

/** Removes the marks around a name or a value. */
export function stripMarks(text: string): string {
  return trimSigns(text, markSigns);
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
  const field = findField(stripMarks(part.slice(0, colon)));
  const value = stripMarks(part.slice(colon + 1));
  return field === undefined || (field === 'text' && value === '') ? undefined : { field, value };
}

/** The text of a task without its check box and the strokes through it, and the state that they say. */
export function readState(text: string): { readonly text: string; readonly state?: TaskState } {
  const [box = '', sign = ''] = /^(?:\[([ xX✓-])\]\s|(?=([☐☑])))\s*/.exec(text) ?? [];
  const boxed = box === '' && /^[☐☑]/.test(text) ? text[0] : sign;
  const words = text.slice(box.length).replace(/^[☐☑]\s*/, '');
  const [, struck, remark = ''] = /^~~([^~]+)~~\s*(\([^()]*\)|（[^（）]*）)?$/.exec(words) ?? [];
  const plain = struck === undefined ? words : `${struck}${remark === '' ? '' : ` ${remark}`}`;
  if (boxed !== '' && boxed !== undefined && 'xX✓☑'.includes(boxed)) return { text: plain, state: 'done' };
  if (boxed === '-' || struck !== undefined) return { text: plain, state: 'cancelled' };
  const state = findState(/[(（]([^()（）]{1,30})[)）]$/.exec(plain.slice(-40))?.[1] ?? '');
  return state === undefined ? { text: plain } : { text: plain, state };
}

/** The cells of a table that begins at a line: its head, then its rows without the line of dashes. Empty: no table. */
export function readTable(lines: readonly string[], at: number): readonly (readonly string[])[] {
  const head = lines[at] ?? '';
  const dashes = lines[at + 1] ?? '';
  if (!head.includes('|') || isLong(dashes) || !dashes.includes('-') || !splitRow(dashes).every(isDashes))
    return [];
  const rows = [splitRow(head)];
  for (let next = at + 2; lines[next]?.includes('|') === true; next += 1)
    rows.push(splitRow(lines[next] ?? ''));
  return rows;
}

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
