import { execFileSync } from 'node:child_process';
import { chownSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { makeTemporaryFolder, type TemporaryFolder } from '@aftermeet/test/support';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readPassword } from './server.ts';

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
