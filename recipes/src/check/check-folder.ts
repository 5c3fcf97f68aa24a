import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { type CheckResult, failed, ok } from './check-result.ts';

/** Whether files can be put into a folder; one that is made when it is needed may be missing. Nothing is written. */
export async function checkFolder(
  name: string,
  folder: string,
  { isMade = false }: { readonly isMade?: boolean } = {},
): Promise<CheckResult> {
  const path = resolve(folder);
  try {
    if (!(await stat(path)).isDirectory()) return failed(name, `${path} is no folder`);
    await access(path, constants.W_OK | constants.X_OK);
    return ok(name, `${path} can be written`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code !== 'ENOENT')
      return failed(name, `${path} can't be written (${code})`, 'Give this user the right to.');
    const parent = dirname(path);
    if (!isMade || parent === path) return failed(name, `${path} is not there`, 'Make it.');
    const found = await checkFolder(name, parent, { isMade });
    return found.result === 'ok' ? ok(name, `${path} is made when it is needed`) : found;
  }
}
