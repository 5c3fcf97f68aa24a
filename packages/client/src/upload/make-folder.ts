import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o700;

/**
 * Makes a folder and those above it, for their owner only; one that is there stays as it is. Throws the system's
 * error. Not `mkdir` with `recursive`: below /proc, where a folder neither is nor can be made, Node tries for ever.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    const isParentMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isParentMissing || parent === path) throw error;
    await makeFolder(parent);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: OWNER_ONLY });
  } catch (error) {
    // Of one that is there some systems say that it may not be made.
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() !== true) throw error;
  }
}
