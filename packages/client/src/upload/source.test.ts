import { appendFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';

import { afterEach, describe, expect, it } from 'vitest';

import {
  cleanUp,
  CONTENT,
  failureOf,
  makeFile,
  makeFolder,
  numbersOf,
  send,
  startService,
} from './testing/upload-service.ts';

afterEach(cleanUp);

/** A time that the file system can write down exactly. */
const SECONDS = 1_783_425_600;

describe('a file that changes while it is uploaded', () => {
  it.each<[string, (path: string) => void, RegExp]>([
    ['is written over', (path) => writeFileSync(path, CONTENT.toReversed()), /changed/],
    ['gets another time', (path) => utimesSync(path, 1, 1), /changed/],
    [
      'is written over and gets its time back',
      (path) => {
        writeFileSync(path, CONTENT.toReversed());
        utimesSync(path, SECONDS, SECONDS);
      },
      /changed/,
    ],
    [
      'grows and keeps its time',
      (path) => {
        appendFileSync(path, 'more');
        utimesSync(path, SECONDS, SECONDS);
      },
      /changed/,
    ],
    [
      'shrinks and keeps its time',
      (path) => {
        truncateSync(path, 1800);
        utimesSync(path, SECONDS, SECONDS);
      },
      /shorter|changed/,
    ],
    [
      'is replaced by one of the same size and time',
      (path) => {
        const other = makeFile(CONTENT, `${path}.new`);
        utimesSync(other, SECONDS, SECONDS);
        renameSync(other, path);
      },
      /replaced/,
    ],
    ['is removed', (path) => rmSync(path), /removed/],
  ])('and %s is not completed', async (_name, change, words) => {
    for (const changedAt of [0, 2]) {
      const path = makeFile();
      utimesSync(path, SECONDS, SECONDS);
      const service = await startService((chunk) => {
        if (chunk.number === changedAt) change(path);
        return false;
      });
      const error = await failureOf(send(service, { path }, { stateFolder: makeFolder() }));
      expect(error.code).toBe('conflict');
      expect(error.detail).toMatch(words);
      // Seen at the first chance, not at the end.
      expect(numbersOf(service)).toEqual(changedAt === 0 ? [0] : [0, 1, 2]);
    }
  });
});
