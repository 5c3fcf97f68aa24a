import { type KnownPerson, knownPersonSchema } from '@aftermeet/recipes';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';

import type { SettingProblem } from '../errors.ts';
import { toSettingProblem } from './setting-problem.ts';
import { readUsableParts } from './usable-parts.ts';

/** `people:` of the settings file: a list, or the file that holds it. */
export const peopleSchema = z.unknown();

const fileSchema = z.strictObject({ file: z.string().min(1) });

const listSchema = z.strictObject({ people: z.array(knownPersonSchema).max(10_000) });

/** The columns of the file. */
const COLUMNS = ['name', 'aliases', 'email', 'slack', 'notion'] as const;

/** The file that `people:` names; undefined: it names none. */
export function findPeopleFile(people: unknown): string | undefined {
  const read = fileSchema.safeParse(people);
  return read.success ? read.data.file : undefined;
}

interface PeopleRead {
  readonly people: readonly KnownPerson[];
  readonly problems: readonly SettingProblem[];
}

/** Who people are. `fileText`: the text of the file that `people:` names; undefined: it cannot be read. */
export function readPeople(people: unknown, fileText?: string): PeopleRead {
  if (people === undefined) return { people: [], problems: [] };
  const file = findPeopleFile(people);
  if (file === undefined) return readList(people, (path) => path.join('.'));
  const setting = 'people.file';
  if (fileText === undefined) {
    const found = `${file}, which can't be read`;
    return {
      people: [],
      problems: [{ setting, found, expected: 'a file of at most 1 MiB, beside the settings file' }],
    };
  }
  const rows = readRows(fileText);
  if ('found' in rows) return { people: [], problems: [{ setting, ...rows }] };
  return readList(
    rows.map(({ fields }) => fields),
    ([, index, ...rest]) => [`${file} line ${rows[Number(index)]?.line ?? '?'}`, ...rest].join(', '),
  );
}

function readList(people: unknown, name: (path: readonly (string | number)[]) => string): PeopleRead {
  const { values, problems } = readUsableParts(listSchema, { people }, {});
  return {
    people: values?.people ?? [],
    problems: problems.map((problem) => ({ ...toSettingProblem(problem), setting: name(problem.path) })),
  };
}

interface Row {
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

const rowsSchema = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.number() }) }),
);

/** The rows of the file, or why it has none. Empty cells count as absent. */
function readRows(text: string): readonly Row[] | Omit<SettingProblem, 'setting'> {
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
