import { type KnownPerson, knownPersonSchema } from '@aftermeet/recipes';
import { z } from 'zod';

import type { SettingProblem } from '../errors.ts';
import type { PeopleRows } from './people-file.ts';
import { readUsableParts, toSettingProblem } from './usable-parts.ts';

const fileSchema = z.strictObject({ file: z.string().min(1).describe('A CSV file beside the settings.') });

const listSchema = z.strictObject({ people: z.array(knownPersonSchema).max(10_000) });

/** What `people:` can be. */
export const peopleSchema = z.union([listSchema.shape.people, fileSchema]);

/** The file that `people:` names; undefined: it names none. */
export function findPeopleFile(people: unknown): string | undefined {
  const read = fileSchema.safeParse(people);
  return read.success ? read.data.file : undefined;
}

interface PeopleRead {
  readonly people: readonly KnownPerson[];
  readonly problems: readonly SettingProblem[];
}

/** Who people are. `rows`: those of the file that `people:` names; undefined: it cannot be read. */
export function readPeople(people: unknown, rows?: PeopleRows): PeopleRead {
  if (people === undefined) return { people: [], problems: [] };
  const file = findPeopleFile(people);
  if (file === undefined) return readList(people, (path) => path.join('.'));
  const setting = 'people.file';
  if (rows === undefined) {
    const found = `${file}, which can't be read`;
    return {
      people: [],
      problems: [{ setting, found, expected: 'a file of at most 1 MiB, beside the settings file' }],
    };
  }
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
