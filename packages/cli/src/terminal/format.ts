import stringWidth from 'string-width';

import { canBeShort } from '../service/meeting-id.ts';
import { cleanLine, cutToWidth, padToWidth } from './text.ts';

/** What JSON may hold unescaped, but a terminal would obey or hide. */
const harmful = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u206F]/g;

/** More than any real value has, and few enough for the stack of any parser. */
const MAX_LEVELS = 500;

const COLUMN_GAP = '  ';
/** A column that shrinks keeps this much while others can be left out instead. */
const READABLE_COLUMN_WIDTH = 16;
const MIN_COLUMN_WIDTH = 8;

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** The JSON of a list: always an object, which has room for more than its items. */
export function formatItems(
  items: readonly unknown[],
  facts: Readonly<Record<string, unknown>> = {},
): string {
  return formatJson({ items, ...facts });
}

/** JSON for `--json`, harmless on a terminal. What is nested deeper than 500 levels is replaced by a note. */
export function formatJson(value: unknown, { oneLine = false } = {}): string {
  const text = JSON.stringify(value ?? null, createLevelLimit(), oneLine ? 0 : 2);
  return `${text.replaceAll(harmful, escapeCharacter)}\n`;
}

/** A replacer for `JSON.stringify`, which visits each object before what is in it. */
function createLevelLimit(): (this: unknown, key: string, value: unknown) => unknown {
  const levels = new WeakMap<object, number>();
  return function limitLevels(_key, value) {
    if (!isObject(value)) return value;
    const level = (isObject(this) ? (levels.get(this) ?? 0) : 0) + 1;
    if (level > MAX_LEVELS) return `(cut: more than ${MAX_LEVELS} levels deep)`;
    levels.set(value, level);
    return value;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export interface Column<Row> {
  readonly title: string;
  readonly read: (row: Row) => string | undefined;
  /** Shrinks first on a narrow terminal. */
  readonly shrinks?: boolean;
  /** Left out on a narrow terminal, the highest number first. A column without a number always stays. */
  readonly leftOut?: number;
  /** An id that commands know by its beginning: a terminal shows that, a pipe all of it. */
  readonly isId?: boolean;
  /** The id of a meeting: the same, if it is of the form that commands know by its beginning. */
  readonly isMeeting?: boolean;
  /** A state, which has a colour on a terminal. */
  readonly isState?: boolean;
}

/** Where a table is printed. */
export interface TableView {
  /** Of the terminal, in cells; undefined in a pipe, where nothing is cut. */
  readonly width: number | undefined;
  readonly paint: Paint;
}

/** The first characters of an id on a terminal; commands that take the id accept them. */
export const SHORT_ID_LENGTH = 8;

/** A table with a title line. Fits into the width of the terminal; in a pipe nothing is cut. Every cell is cleaned. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width, paint }: TableView = { width: undefined, paint: plainPaint },
): string {
  const all = columns.map((column) => measureColumn(rows, column, width !== undefined));
  const shown = width === undefined ? all : fitColumns(all, width);
  const lines = [undefined, ...rows.keys()].map((row) => {
    let left = width ?? Infinity;
    const parts = shown.flatMap(({ column, cells, cellWidth }) => {
      const room = Math.min(cellWidth, left);
      left -= cellWidth + COLUMN_GAP.length;
      if (room <= 0) return [];
      const cell = row === undefined ? column.title : (cells[row] ?? '');
      const text = padToWidth(cutToWidth(cell, room), room);
      return [row !== undefined && column.isState === true ? paintState(text, cell, paint) : text];
    });
    return parts.join(COLUMN_GAP).trimEnd();
  });
  return `${lines.join('\n')}\n`;
}

interface Measured {
  readonly column: Pick<Column<never>, 'title' | 'shrinks' | 'leftOut' | 'isState'>;
  readonly cells: readonly string[];
  readonly cellWidth: number;
}

function measureColumn<Row>(rows: readonly Row[], column: Column<Row>, isTerminal: boolean): Measured {
  const cells = rows.map((row) => {
    const cell = cleanLine(column.read(row) ?? '');
    const isShort = column.isId === true || (column.isMeeting === true && canBeShort(cell));
    return isTerminal && isShort ? cell.slice(0, SHORT_ID_LENGTH) : cell;
  });
  const cellWidth = cells.reduce((max, cell) => Math.max(max, stringWidth(cell)), column.title.length);
  return { column, cells, cellWidth };
}

/** Shrinks columns, then leaves some out, then shrinks the others more, until the table fits. */
function fitColumns(columns: readonly Measured[], width: number): readonly Measured[] {
  let kept = columns;
  for (;;) {
    const fitting = shrinkColumns(kept, width, READABLE_COLUMN_WIDTH);
    if (measureTable(fitting) <= width) return fitting;
    const last = Math.max(...kept.map(({ column }) => column.leftOut ?? 0));
    if (last === 0) return shrinkColumns(kept, width, MIN_COLUMN_WIDTH);
    kept = kept.filter(({ column }) => (column.leftOut ?? 0) !== last);
  }
}

/** Takes cells from the widest column that may shrink until the table fits. */
function shrinkColumns(columns: readonly Measured[], width: number, min: number): readonly Measured[] {
  const widths = columns.map(({ cellWidth }) => cellWidth);
  for (let excess = measureTable(columns) - width; excess > 0; excess -= 1) {
    let widest = -1;
    for (const [index, cells] of widths.entries()) {
      const mayShrink = columns[index]?.column.shrinks === true && cells > min;
      if (mayShrink && cells > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return columns.map((measured, index) => ({ ...measured, cellWidth: widths[index] ?? 0 }));
}

function measureTable(columns: readonly Measured[]): number {
  return columns.reduce((sum, { cellWidth }) => sum + cellWidth, COLUMN_GAP.length * (columns.length - 1));
}

const goodStates: ReadonlySet<string> = new Set(['sent', 'completed', 'delivered', 'ready', 'approved']);
const badStates: ReadonlySet<string> = new Set(['failed', 'parked', 'unknown', 'given_up']);
const dimStates: ReadonlySet<string> = new Set(['skipped', 'cancelled', 'discarded', 'recalled', 'dropped']);

/** A state in its colour; `text` is what is shown of it. */
function paintState(text: string, state: string, paint: Paint): string {
  if (goodStates.has(state)) return paint.good(text);
  if (badStates.has(state)) return paint.bad(text);
  return dimStates.has(state) ? paint.dim(text) : text;
}

/** One fact a line, with aligned values; facts without a value are left out. */
export function formatFacts(facts: Readonly<Record<string, string | number | undefined>>): string {
  const present = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${name.padEnd(width)}  ${cleanLine(String(value))}\n`).join('');
}

/** A size in powers of 1024: `512 bytes`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let step = 0;
  while (value >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  return step === 0 ? `${Math.round(value)} bytes` : `${value.toFixed(1)} ${units[step]}`;
}

/** A duration: `8 s`, `3 min 20 s`, `1 h 05 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** An ISO time in UTC as `2026-07-07 12:00`; any other text stays as it is. */
export function formatMoment(iso: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? iso.slice(0, 16).replace('T', ' ') : iso;
}

/** Milliseconds since 1970 as ISO 8601 in UTC. */
export function formatIso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Terminal colours; plain text everywhere else. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly strong: (text: string) => string;
}

/** No colours. */
export const plainPaint: Paint = makePaint(false);

/** Colours for a terminal. `NO_COLOR` turns them off, `FORCE_COLOR` (other than 0) turns them on, also in a pipe. */
export function createPaint({ isTerminal, environment }: PaintedOutput): Paint {
  const { NO_COLOR: no = '', FORCE_COLOR: force = '' } = environment;
  return makePaint(force === '' ? isTerminal && no === '' : force !== '0');
}

/** What decides about colours. */
interface PaintedOutput {
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

function makePaint(isColoured: boolean): Paint {
  const code = (number: number) => (text: string) =>
    isColoured ? `\u001B[${number}m${text}\u001B[0m` : text;
  return { good: code(32), bad: code(31), dim: code(2), strong: code(1) };
}
