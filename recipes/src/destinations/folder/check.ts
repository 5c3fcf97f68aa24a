import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { type CheckResult, failed, ok } from '../../engine/check-result.ts';

/** A folder that a recipe writes to. */
export interface FolderNeed {
  readonly folder: string;
}

/** Checks whether a folder is writable, without writing. */
export async function checkFolder(name: string, folder: string): Promise<CheckResult> {
  const path = resolve(folder);
  try {
    if (!(await stat(path)).isDirectory()) return failed(name, `${path} is no folder`);
    await access(path, constants.W_OK | constants.X_OK);
    return ok(name, `${path} can be written`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT') return failed(name, `${path} is not there`, 'Make it.');
    return failed(name, `${path} can't be written (${code})`, 'Give this user the right to.');
  }
}
