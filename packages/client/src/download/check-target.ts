import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';

import { explainFileFault, readFileFaultCode, refuseExistingFile, refuseTarget } from './file-fault.ts';

/** Whether the path is a folder, into which a file with a safe name goes. */
export async function isFolder(path: string): Promise<boolean> {
  if (path === '') throw refuseTarget('must be that of a file or a folder; found empty text');
  const found = await lookAt(() => stat(path));
  if (found === undefined && /[/\\]$/.test(path))
    throw refuseTarget('is that of a folder that does not exist');
  return found?.isDirectory() === true;
}

/** Throws `conflict` for what is there and may not be replaced, and for a device or the like in any case. */
export async function checkTarget(path: string, overwrite: boolean): Promise<void> {
  const found = await lookAt(() => lstat(path));
  if (found === undefined) return;
  if (!overwrite) throw refuseExistingFile();
  // Of a link the link itself is replaced, never what it points to.
  if (!found.isFile() && !found.isSymbolicLink())
    throw refuseTarget('is that of something other than a file');
}

async function lookAt(look: () => Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await look();
  } catch (error) {
    if (readFileFaultCode(error) === 'ENOENT') return undefined;
    throw explainFileFault(error);
  }
}
