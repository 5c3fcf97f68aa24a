import { link as linkFile, open, rename, rm } from 'node:fs/promises';

import { readFileFaultCode } from './file-fault.ts';

/** File systems without hard links say one of these. */
const linkless: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EACCES',
]);

/**
 * Gives a finished file its name within the same folder. Without `overwrite` a file that appeared there in the
 * meantime is never replaced: then it fails with `EEXIST`, whoever comes first. The temporary name may stay
 * behind for the caller to remove.
 */
export async function placeFile(
  temporary: string,
  target: string,
  overwrite: boolean,
  link: typeof linkFile = linkFile,
): Promise<void> {
  if (overwrite) return rename(temporary, target);
  try {
    await link(temporary, target);
  } catch (error) {
    if (!linkless.has(readFileFaultCode(error) ?? '')) throw error;
    await reserveAndRename(temporary, target);
  }
}

/** The empty file takes the name for us; only what we made ourselves is then replaced. */
async function reserveAndRename(temporary: string, target: string): Promise<void> {
  await (await open(target, 'wx')).close();
  try {
    await rename(temporary, target);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}
