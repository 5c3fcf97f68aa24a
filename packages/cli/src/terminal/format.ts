import stringWidth from 'string-width';

import { cleanLine, cutToWidth, padToWidth } from './text.ts';

/** What JSON may hold unescaped, but a terminal would obey or hide. */
const harmful = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u206F]/g;

/** More than any real value has, and few enough for the stack of any parser. */
const MAX_LEVELS = 500;

const COLUMN_GAP = '  ';
const MIN_COLUMN_WIDTH = 8;

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

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
}

/** A table with a title line. Fits into `width` cells; without it nothing is cut. Every cell is cleaned. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width?: number,
): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ read }) => cleanLine(read(row) ?? ''))),
  ];
  const natural = columns.map((_column, index) =>
    lines.reduce((max, cells) => Math.max(max, stringWidth(cells[index] ?? '')), 0),
  );
  const widths = width === undefined ? natural : shrinkWidths(natural, columns, width);
  const text = lines.map((cells) => {
    const line = cells
      .map((cell, index) => padToWidth(cutToWidth(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(COLUMN_GAP)
      .trimEnd();
    return width === undefined ? line : cutToWidth(line, width);
  });
  return `${text.join('\n')}\n`;
}

/** Takes cells from the widest column that may shrink until the table fits. */
function shrinkWidths<Row>(
  natural: readonly number[],
  columns: readonly Column<Row>[],
  width: number,
): readonly number[] {
  const widths = [...natural];
  let excess =
    widths.reduce((sum, cells) => sum + cells, 0) + COLUMN_GAP.length * (widths.length - 1) - width;
  while (excess > 0) {
    let widest = -1;
    for (const [index, cells] of widths.entries()) {
      const mayShrink = columns[index]?.shrinks === true && cells > MIN_COLUMN_WIDTH;
      if (mayShrink && cells > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
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
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

export function createPaint(isTerminal: boolean): Paint {
  const code = (number: number) => (text: string) =>
    isTerminal ? `\u001B[${number}m${text}\u001B[0m` : text;
  return { good: code(32), bad: code(31), dim: code(2), strong: code(1) };
}
