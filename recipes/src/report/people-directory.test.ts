import type { Report } from '@aftermeet/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sampleReport } from '../own/testing.ts';
import { buildDigest } from './digest.ts';
import { createPeopleDirectory, type KnownPerson, listUnknown } from './people-directory.ts';

const ann: KnownPerson = {
  name: 'Ann Lee',
  aliases: ['Annie', 'A. Lee'],
  email: 'ann@example.com',
  slack: 'U0ANN',
  notion: '11111111-2222-4333-8444-555555555555',
};
const bo: KnownPerson = { name: 'Bo Ek', aliases: ['Bosse'], slack: 'U0BO' };
const people = createPeopleDirectory([ann, bo]);

/** A report that names people and no address. */
const nameless: Report = {
  ...sampleReport,
  participants: [],
  speakers: [{ name: 'Annie' }, { name: 'Bo Ek' }, { name: 'Cleo Diaz' }],
  tasks: [
    { text: 'Send the offer', owner: 'Annie' },
    { text: 'Book the room', owner: 'ann lee' },
    { text: 'Ask legal', owner: 'Bo Ek' },
    { text: 'Read the terms', owner: 'Cleo Diaz' },
  ],
};

describe('the directory of people', () => {
  it.each([
    [{ name: 'Ann Lee' }, ann],
    [{ name: '  ann   LEE ' }, ann],
    [{ name: 'Annie' }, ann],
    [{ name: 'A. Lee' }, ann],
    [{ email: 'ANN@example.com' }, ann],
    [{ name: 'Somebody else', email: 'ann@example.com' }, ann],
    // The address says who it is.
    [{ name: 'Ann Lee', email: 'ann.lee@another.example' }, undefined],
    [{ name: 'Ann' }, undefined],
    [{ name: 'Ann Leeds' }, undefined],
    [{ name: '' }, undefined],
    [{}, undefined],
  ])('finds %j by address, name or alias alone', (asked, found) => {
    expect(people.find(asked)).toBe(found);
  });

  it('finds no one by what fits two', () => {
    const other = { name: 'Ann Lee', aliases: ['Bosse', 'Annie'], email: 'ann.lee@example.com' };
    const directory = createPeopleDirectory([ann, bo, other]);
    expect(directory.ambiguous).toEqual(['Ann Lee', 'Bosse', 'Annie']);
    for (const name of ['Ann Lee', 'Bosse', 'Annie']) expect(directory.find({ name })).toBeUndefined();
    expect(directory.find({ email: 'ann.lee@example.com' })).toBe(other);
    expect(directory.find({ name: 'A. Lee' })).toBe(ann);
  });

  it('takes a name before an alias of another person', () => {
    const directory = createPeopleDirectory([{ name: 'Annie', aliases: [] }, ann]);
    expect(directory.find({ name: 'annie' })?.name).toBe('Annie');
  });

  it('never finds a person by a text that is none of theirs', () => {
    const texts = new Set(['ann lee', 'annie', 'a. lee', 'bo ek', 'bosse']);
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (name) => {
        const isKnown = texts.has(name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase());
        expect(people.find({ name }) !== undefined).toBe(isKnown);
      }),
    );
  });
});

describe('people who cannot be reached', () => {
  it('are those without an address whom the directory does not know', () => {
    const report = {
      ...nameless,
      participants: [{ name: 'Annie' }, { name: 'Dana Wu' }, { name: 'Eve', email: 'eve@client.example' }],
      tasks: [...nameless.tasks, { text: 'Call back', owner: 'dana wu' }, { text: 'Pay', owner: 'Eve' }],
    };
    expect(listUnknown(report, people)).toEqual(['Dana Wu', 'Cleo Diaz']);
    expect(listUnknown(nameless, createPeopleDirectory())).toEqual([
      'Annie',
      'Bo Ek',
      'Cleo Diaz',
      'ann lee',
    ]);
  });
});

describe('a digest with a directory', () => {
  it('has the addresses and ids of those who spoke, and of the owners of tasks', () => {
    const digest = buildDigest(nameless, { people });
    const { name, email, slack, notion } = ann;
    expect(digest.attendees).toEqual([
      { name, email, slack, notion },
      { name: 'Bo Ek', slack: 'U0BO' },
      { name: 'Cleo Diaz' },
    ]);
    expect(digest.people).toEqual(['Ann Lee', 'Bo Ek', 'Cleo Diaz']);
    expect(digest.taskGroups.map(({ tasks, ...owner }) => ({ ...owner, tasks: tasks.length }))).toEqual([
      { owner: name, email, slack, notion, tasks: 2 },
      { owner: 'Bo Ek', slack: 'U0BO', tasks: 1 },
      { owner: 'Cleo Diaz', tasks: 1 },
    ]);
  });

  it('keeps an address of the report, and adds a speaker whom the report forgot once', () => {
    const digest = buildDigest(
      {
        ...nameless,
        participants: [{ name: 'Bo Ek', email: 'bo@private.example' }, { name: 'Dana' }],
        speakers: [{ name: 'Annie' }, { name: 'Ann Lee' }, { name: 'Eve' }],
      },
      { people },
    );
    expect(digest.attendees).toEqual([
      // Not the Bo whom the directory knows, perhaps.
      { name: 'Bo Ek', email: 'bo@private.example' },
      { name: 'Dana' },
      expect.objectContaining({ name: 'Ann Lee', email: 'ann@example.com' }),
    ]);
  });

  it('leaves the tasks of a namesake with another address to the namesake', () => {
    const { taskGroups } = buildDigest(
      {
        ...nameless,
        participants: [{ name: 'Ann Lee', email: 'ann@client.example' }],
        tasks: [{ text: 'Send the offer', owner: 'Ann Lee' }],
      },
      { people },
    );
    expect(taskGroups).toMatchObject([{ owner: 'Ann Lee', email: 'ann@client.example' }]);
    expect(taskGroups[0]).not.toHaveProperty('slack');
  });

  it('is the same as without one where no one is known', () => {
    const others = createPeopleDirectory([{ name: 'Zoe', aliases: [], email: 'zoe@example.com' }]);
    const { attendees: _some, ...digest } = buildDigest(sampleReport, { people: others });
    const { attendees: _same, ...plain } = buildDigest(sampleReport);
    expect(digest).toEqual(plain);
  });
});
