import pg from 'pg';
import { expect, it } from 'vitest';

import { writeGroup } from '../grouped-writer.ts';
import { isPostgresDataError } from './postgres-backend.ts';

const withCode = (code: string): Error =>
  Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code });

/** A store that answers with what it was given, unless one of the group is an error. */
function createStore() {
  const groups: string[] = [];
  const write = async (group: readonly (string | null | Error)[]) => {
    groups.push(group.map((item) => (item instanceof Error ? '!' : item)).join(' '));
    for (const item of group) if (item instanceof Error) throw item;
    return group;
  };
  return { groups, write };
}

it('writes a group in one step', async () => {
  const { groups, write } = createStore();
  expect(await writeGroup(['a', null], write, isPostgresDataError)).toEqual(['a', null]);
  expect(groups).toEqual(['a ']);
});

it.each(['22003', '23502'])('fails the one alone that the store dislikes: %s', async (code) => {
  const { groups, write } = createStore();
  const bad = withCode(code);
  expect(await writeGroup(['a', bad, null], write, isPostgresDataError)).toEqual(['a', bad, null]);
  expect(groups).toEqual(['a ! ', 'a', '!', '']);
});

it('fails the group for everything else, without a second step', async () => {
  const { groups, write } = createStore();
  await expect(writeGroup(['a', withCode('42P01')], write, isPostgresDataError)).rejects.toThrow('refused');
  await expect(writeGroup([withCode('22003')], write, isPostgresDataError)).rejects.toThrow('refused');
  expect(groups).toEqual(['a !', '!']);
});

it('does not try the others when the store is away meanwhile', async () => {
  const { groups, write } = createStore();
  const [bad, away] = [withCode('22003'), new Error('away')];
  expect(await writeGroup(['a', bad, away, 'b'], write, isPostgresDataError)).toEqual(['a', bad, away, away]);
  expect(groups).toEqual(['a ! ! b', 'a', '!', '!']);
});
