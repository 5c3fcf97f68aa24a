import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readPeopleRows } from '../settings/people-file.ts';
import { proposePeople, writePeopleCsv } from './propose-people.ts';

describe('proposePeople', () => {
  const ann = { name: 'Ann Lee', aliases: ['Annie'], email: 'ann@example.com' };
  const bo = { name: 'Bo Ek', aliases: [] };

  it('adds ids to known people by address, or else by name or alias, and adds the others', () => {
    const members = [
      { id: 'U0ANN', name: 'A. Lee', email: 'ANN@example.com' },
      { id: 'U0BO', name: 'bo  ek', email: 'bo@example.com' },
      { id: 'U0CY', name: 'Cy Day', email: 'cy@example.com' },
    ];
    expect(proposePeople([ann, bo], members, 'slack')).toEqual({
      people: [
        { ...ann, slack: 'U0ANN' },
        { name: 'Bo Ek', aliases: [], email: 'bo@example.com', slack: 'U0BO' },
        { name: 'Cy Day', aliases: [], email: 'cy@example.com', slack: 'U0CY' },
      ],
      added: 1,
      completed: 2,
      left: [],
    });
  });

  it('keeps what is known, and tells what it does not take', () => {
    const other = { id: 'U0NEW', name: 'Ann Lee', email: 'ann@example.com' };
    const known = [{ ...ann, slack: 'U0OLD' }, bo];
    const namesakes = [
      { id: 'U0B1', name: 'Bo Ek', email: 'bo1@example.com' },
      { id: 'U0B2', name: 'Bo Ek', email: 'bo2@example.com' },
    ];
    const stranger = { id: 'U0X', name: 'Annie', email: 'annie@example.net' };
    expect(proposePeople(known, [other, ...namesakes, stranger], 'slack')).toEqual({
      people: known,
      added: 0,
      completed: 0,
      left: [
        { member: other, why: 'other_id' },
        { member: namesakes[0], why: 'two_people' },
        { member: namesakes[1], why: 'two_people' },
        { member: stranger, why: 'two_people' },
      ],
    });
  });

  it('changes nothing the second time', () => {
    const members = [{ id: 'U0BO', name: 'Bo Ek' }];
    const { people } = proposePeople([bo], members, 'slack');
    expect(proposePeople(people, members, 'slack')).toEqual({
      people,
      added: 0,
      completed: 0,
      left: [],
    });
  });
});

it('writePeopleCsv is what the settings read', () => {
  const name = fc.string({ minLength: 1 }).map((text) => `x${text.replaceAll(/[;\r\n]/g, '')}y`);
  fc.assert(
    fc.property(fc.array(fc.record({ name, aliases: fc.array(name, { maxLength: 2 }) })), (people) => {
      const rows = readPeopleRows(writePeopleCsv(people));
      expect('found' in rows ? rows : rows.map(({ fields }) => fields)).toEqual(people);
    }),
  );
});
