import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { makeTemporaryFolder } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { makeFolders } from './server-home.ts';

it('makes a folder with those above it, and again', async () => {
  const folder = await makeTemporaryFolder();
  const deep = path.join(folder.path, 'a/b/c');
  await makeFolders(deep);
  await makeFolders(deep);
  expect(existsSync(deep)).toBe(true);
  folder.remove();
});

it('says so where there can be no folder', async () => {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'file');
  writeFileSync(file, '');
  await expect(makeFolders(file)).rejects.toThrow('EEXIST');
  await expect(makeFolders(path.join(file, 'a'))).rejects.toThrow('ENOTDIR');
  folder.remove();
});

it.runIf(existsSync('/proc/self'))('gives up where a file system takes no folders', async () => {
  await expect(makeFolders('/proc/aftermeet/a')).rejects.toThrow('takes no folders');
});
