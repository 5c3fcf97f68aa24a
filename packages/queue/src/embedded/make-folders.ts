import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

import { isCode } from '../is-code.ts';

/**
 * Makes a folder with those above it, where they are missing. Rejects when it can't. Node's own way tries for ever
 * where a file system takes no folders, as `/proc`.
 */
export async function makeFolders(folder: string): Promise<void> {
  if (await makeOne(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) await makeFolders(above);
  if (above === folder || !(await makeOne(folder))) {
    throw new Error(`the folder ${folder} can not be made: this place takes no folders`);
  }
}

/** False when the folder above is missing, or seems to be. */
async function makeOne(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    if (isCode(error, 'EEXIST') && (await stat(folder)).isDirectory()) return true;
    throw error;
  }
}
