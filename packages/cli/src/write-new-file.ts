import { writeFile } from 'node:fs/promises';

import { readErrorCode, WrongUse } from './errors.ts';

/** Writes a file that does not exist yet. Throws `WrongUse` where there is one, or where it cannot be written. */
export async function writeNewFile(path: string, text: string, mode?: number): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
  } catch (error) {
    const why =
      readErrorCode(error) === 'EEXIST' ? 'it exists already' : 'the folder must exist and be writable';
    throw new WrongUse(`The file ${path} can't be written: ${why}.\n`);
  }
}
