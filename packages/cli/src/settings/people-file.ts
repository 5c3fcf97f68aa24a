import { parse } from 'csv-parse/sync';
import { z } from 'zod';

import type { SettingProblem } from '../errors.ts';

/** The columns of the file. */
const COLUMNS = ['name', 'aliases', 'email', 'slack', 'notion'] as const;

/** A row of the file. */
interface Row {
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

const rowsSchema = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.number() }) }),
);

/** The rows of a file of people, or why it has none. */
export type PeopleRows = readonly Row[] | Omit<SettingProblem, 'setting'>;

/** Reads a file of people; empty cells count as absent. */
export function readPeopleRows(text: string): PeopleRows {
  const expected = `CSV with the columns ${COLUMNS.join(', ')}; aliases separated by semicolons`;
  let header: readonly string[] = [];
  try {
    const parsed: unknown = parse(text, {
      bom: true,
      columns: (names: string[]) => (header = names.map((name) => name.trim().toLowerCase())),
      info: true,
      skip_empty_lines: true,
      trim: true,
    });
    const unknown = header.find((name) => !COLUMNS.some((column) => column === name));
    if (unknown !== undefined)
      return { found: `the column ${JSON.stringify(unknown.slice(0, 40))}`, expected };
    if (header.length > 0 && !header.includes('name')) return { found: 'no column name', expected };
    return rowsSchema.parse(parsed).map(({ record: { aliases = '', ...record }, info }) => ({
      line: info.lines,
      fields: {
        ...Object.fromEntries(Object.entries(record).filter(([, cell]) => cell !== '')),
        aliases: aliases
          .split(';')
          .map((alias) => alias.trim())
          .filter((alias) => alias !== ''),
      },
    }));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'not CSV';
    return { found: `what CSV does not allow (${code})`, expected };
  }
}
