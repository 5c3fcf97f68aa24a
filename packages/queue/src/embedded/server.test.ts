import { execFileSync } from 'node:child_process';
import { chownSync, linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { makeTemporaryFolder, type TemporaryFolder } from '@aftermeet/test/support';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { isCopy, readPassword } from './server.ts';

const isRoot = process.getuid?.() === 0;
const server = { uid: 65534, gid: 65534 };

describe('readPassword', () => {
  let folder: TemporaryFolder;
  let file: string;
  let secret: string;

  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    mkdirSync(path.join(folder.path, 'cluster'));
    file = path.join(folder.path, 'cluster/password');
    secret = path.join(folder.path, 'secret');
    writeFileSync(secret, 'hunter2\n', { mode: 0o600 });
  });
  afterEach(() => folder.remove());

  const read = (user: typeof server | undefined): Promise<string | undefined> =>
    readPassword({
      directory: folder.path,
      user,
      folder: folder.path,
      cluster: path.join(folder.path, 'cluster'),
      data: path.join(folder.path, 'cluster/data'),
      logFile: path.join(folder.path, 'server.log'),
    });

  it('is what the file says, and nothing where there is none', async () => {
    expect(await read(undefined)).toBeUndefined();
    expect(await read(server)).toBeUndefined();
    writeFileSync(file, 'pa55\n');
    expect(await read(undefined)).toBe('pa55');
  });

  describe.runIf(isRoot)('for root, in a folder of another user', () => {
    it('is that of a file of root', async () => {
      writeFileSync(file, 'pa55\n', { mode: 0o600 });
      expect(await read(server)).toBe('pa55');
    });

    it.each<[what: string, put: () => void]>([
      ['a link to a file of root', () => symlinkSync(secret, file)],
      ['a second name of a file of root', () => linkSync(secret, file)],
      ['a link to nothing', () => symlinkSync(path.join(folder.path, 'missing'), file)],
      ['a pipe that nothing writes to', () => execFileSync('sh', ['-c', 'mkfifo "$0"', file])],
      ['a folder', () => mkdirSync(file)],
      [
        'a file of another owner',
        () => {
          writeFileSync(file, 'hunter2\n');
          chownSync(file, server.uid, server.gid);
        },
      ],
    ])('is refused: %s', async (_what, put) => {
      put();
      await expect(read(server)).rejects.toThrow(
        `${file} is a link or does not belong to root, so it is not read as the password: ` +
          'if you have copied or restored the folder, make it a plain file of root',
      );
    });
  });
});

describe('isCopy', () => {
  let folder: TemporaryFolder;
  let data: string;
  let number: bigint;

  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    data = path.join(folder.path, 'data');
    mkdirSync(data);
    number = statSync(data, { bigint: true }).ino;
  });
  afterEach(() => folder.remove());

  /** As a server of this folder number leaves it. */
  const leaveLock = (memory: string): void =>
    writeFileSync(
      path.join(data, 'postmaster.pid'),
      ['17', '/elsewhere/data', '1795898254', '5432', '/elsewhere/socket', '', memory, 'ready'].join('\n'),
    );

  it.each([
    ['a folder that was moved', 0n, false],
    ['a folder whose first keys were taken', 3n, false],
    ['a copy', 4711n, true],
    ['a copy with a lower number', -1n, true],
  ])('of %s', async (_name, difference, expected) => {
    leaveLock(`  ${BigInt.asUintN(32, number + difference)}        19`);
    expect(await isCopy(data)).toBe(expected);
  });

  it('does not guess without a lock or a key', async () => {
    expect(await isCopy(data)).toBe(false);
    leaveLock('');
    expect(await isCopy(data)).toBe(false);
  });
});
