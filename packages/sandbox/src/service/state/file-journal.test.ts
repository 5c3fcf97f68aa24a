import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';

import { makeTestFolder } from '../../testing/make-test-folder.ts';
import { createCollection } from './collection.ts';
import { DataFolderError } from './data-folder-error.ts';
import { createFileJournal } from './file-journal.ts';
import type { FolderLock } from './folder-lock.ts';
import { readStateFile } from './read-state-file.ts';

let folder: string;
/** Whether a line can be written: a lost lock stands for a full disk. */
let isHeld: boolean;

const lock: FolderLock = { isHeld: () => isHeld, look: () => isHeld, release: () => {} };

beforeEach(() => {
  folder = makeTestFolder();
  isHeld = true;
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function open() {
  const journal = createFileJournal(
    join(folder, 'state.jsonl'),
    readStateFile(join(folder, 'state.jsonl')) ?? new Map(),
    lock,
  );
  const keys = createCollection({ name: 'keys', schema: z.string(), keyOf: (key) => key, journal });
  return { journal, keys };
}

it('leaves a single change undone that cannot be kept', () => {
  const { journal, keys } = open();
  isHeld = false;
  expect(() => keys.put('a')).toThrow(DataFolderError);
  expect(keys.list()).toEqual([]);
  isHeld = true;
  journal.close();
  expect(open().keys.list()).toEqual([]);
});

it.each<[string, (keys: ReturnType<typeof open>['keys']) => void, readonly string[]]>([
  ['the next change', (keys) => keys.put('c'), ['a', 'b', 'c']],
  ['one that takes them back', (keys) => keys.clear(), []],
  ['the end', () => {}, ['a', 'b']],
])('keeps what happened together and could not be kept with %s', (_name, goOn, left) => {
  const { journal, keys } = open();
  isHeld = false;
  const change = (): void => {
    keys.put('a');
    keys.put('b');
  };
  expect(() => journal.together(change)).toThrow(DataFolderError);
  expect(keys.list()).toEqual(['a', 'b']);
  isHeld = true;
  goOn(keys);
  expect(keys.list()).toEqual(left);
  journal.close();
  expect(open().keys.list()).toEqual(left);
});

it('cannot begin where its snapshot cannot be written, and says where', () => {
  mkdirSync(join(folder, 'state.jsonl.tmp'));
  expect(open).toThrow(/state\.jsonl cannot be written: EISDIR\. Let this user/);
});
