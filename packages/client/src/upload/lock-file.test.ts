import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { beatLock, createLock, removeLock } from './lock-file.ts';
import { cleanUp, failureOf, makeFolder } from './testing/upload-service.ts';

afterEach(cleanUp);

describe('the file of a lock', () => {
  it('is removed when it cannot be written, as on a full disk', async () => {
    const path = join(makeFolder(), 'x.lock');
    const full = (function* (): Generator<string> {
      yield 'half';
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    })();
    // @ts-expect-error: no text, but something that fails while it is written
    const error = await failureOf(createLock(path, full));
    expect(error.detail).toBe('the state folder cannot be written: ENOSPC');
    expect(existsSync(path)).toBe(false);
  });

  it('of somebody else is neither beaten nor removed', async () => {
    const path = join(makeFolder(), 'x.lock');
    writeFileSync(path, 'theirs');
    const { mtimeMs } = statSync(path);
    await beatLock(path, 'ours', mtimeMs + 60_000);
    await removeLock(path, 'ours');
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(statSync(path).mtimeMs).toBe(mtimeMs);
    await beatLock(path, 'theirs', 1_800_000_000_000);
    expect(statSync(path).mtimeMs).toBe(1_800_000_000_000);
    await removeLock(path, 'theirs');
    expect(existsSync(path)).toBe(false);
  });
});
