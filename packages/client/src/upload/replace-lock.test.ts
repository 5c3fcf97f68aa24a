import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { findLock } from './lock-file.ts';
import { replaceLock } from './replace-lock.ts';
import { cleanUp, makeFolder } from './testing/upload-service.ts';

afterEach(cleanUp);

describe('replacing a lock', () => {
  it('leaves the lock of one that was quicker alone', async () => {
    const folder = makeFolder();
    const path = join(folder, 'x.lock');
    writeFileSync(path, 'stale');
    const found = await findLock(path);
    expect(await replaceLock(path, found, 'quick', Date.now())).toBe(true);
    expect(await replaceLock(path, found, 'slow', Date.now())).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('quick');
    expect(readdirSync(folder)).toEqual(['x.lock']);
  });

  it('leaves one alone that was heard of since', async () => {
    const path = join(makeFolder(), 'x.lock');
    writeFileSync(path, 'thought dead');
    const found = await findLock(path);
    utimesSync(path, 5, 5);
    expect(await replaceLock(path, found, 'slow', Date.now())).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('thought dead');
  });
});
