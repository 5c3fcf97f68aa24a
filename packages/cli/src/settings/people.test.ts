import { describe, expect, it } from 'vitest';

import { readPeopleRows } from './people-file.ts';
import { readPeople as readRows } from './people.ts';

const readPeople = (people: unknown, text?: string) =>
  readRows(people, text === undefined ? undefined : readPeopleRows(text));

const ann = { name: 'Ann Lee', aliases: ['Annie', 'A. Lee'], email: 'ann@example.com', slack: 'U0ANN' };

function problemsOf(people: unknown, text?: string): readonly string[] {
  return readPeople(people, text).problems.map(
    ({ setting, found, expected }) => `${setting}: found ${found}; expected ${expected}`,
  );
}

describe('people: of the settings file', () => {
  it('is a list, or a file of the same', () => {
    const bo = { name: 'Ek, Bo', aliases: [] };
    expect(readPeople([ann, { name: 'Ek, Bo' }])).toEqual({ people: [ann, bo], problems: [] });
    const text =
      '\uFEFFName,Aliases,Email,Slack\r\nAnn Lee,Annie; A. Lee,ann@example.com,U0ANN\r\n\r\n"Ek, Bo",,,\r\n';
    expect(readPeople({ file: 'people.csv' }, text)).toEqual({ people: [ann, bo], problems: [] });
    expect(readPeople(undefined)).toEqual({ people: [], problems: [] });
    expect(readPeople({ file: 'people.csv' }, '')).toEqual({ people: [], problems: [] });
  });

  it.each([
    [
      [{ ...ann, email: 'ann' }],
      'people.0.email: found text of length 3; expected an address, such as ann@example.com',
    ],
    [[ann, { name: 'Bo', slack: '@bo' }], 'people.1.slack: found'],
    [[{ aliases: [] }], 'people.0.name: found nothing; expected a name'],
    [[{ name: 'Bo', mail: 'bo@example.com' }], 'people.0.mail: found an unknown key; expected'],
    ['people.csv', 'people: found'],
  ])('says which entry is wrong: %j', (people, problem) => {
    expect(problemsOf(people).join('\n')).toContain(problem);
  });

  it.each([
    [
      'name,phone\nAnn,1',
      'people.file: found the column "phone"; expected CSV with the columns name, aliases,',
    ],
    ['email\nann@example.com', 'people.file: found no column name; expected'],
    [
      'name,email\nAnn,ann@example.com\nBo,bo',
      'people.csv line 3, email: found text of length 2; expected an address',
    ],
    [
      'name,email\nAnn,ann@example.com,more',
      'people.file: found what CSV does not allow (CSV_RECORD_INCONSISTENT_COLUMNS)',
    ],
    ['name\n"Ann', 'people.file: found what CSV does not allow (CSV_QUOTE_NOT_CLOSED)'],
    [undefined, "people.file: found people.csv, which can't be read; expected a file of at most 1 MiB"],
  ])('says what is wrong with the file: %j', (text, problem) => {
    expect(problemsOf({ file: 'people.csv' }, text).join('\n')).toContain(problem);
  });
});
