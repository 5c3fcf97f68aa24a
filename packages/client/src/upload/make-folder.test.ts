import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { makeFolder } from './make-folder.ts';
import { cleanUp, makeFolder as makeTestFolder } from './testing/upload-service.ts';

afterEach(cleanUp);

describe('makeFolder', () => {
  it('makes what is missing on the way, for the owner only', async () => {
    const path = join(makeTestFolder(), 'a/b/c');
    await Promise.all([makeFolder(path), makeFolder(path)]);
    await makeFolder(path);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  it('refuses to go through a file', async () => {
    const file = join(makeTestFolder(), 'file');
    writeFileSync(file, '');
    await expect(makeFolder(join(file, 'a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it.runIf(existsSync('/proc/self'))('ends where no folder can be made', async () => {
    await expect(makeFolder('/proc/x/aftermeet/uploads')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
