import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';

/** How the ledger knows a file: by a hash, because its name holds the title of the meeting. */
export function nameFile(name: string): string {
  return createHash('sha256').update(name, 'utf8').digest('hex').slice(0, 32);
}

/** The name of the file in a folder that a reference stands for; undefined when it is not there any more. */
export async function findFile(folder: string, reference: string): Promise<string | undefined> {
  return (await readdir(folder)).find((name) => nameFile(name) === reference);
}

/** When a file was written, in milliseconds since 1970; undefined when there is none. */
export async function readWrittenMs(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.mtimeMs : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
