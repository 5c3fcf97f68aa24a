import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import type { ReadSecretFile } from './fill-variables.ts';

const MAX_BYTES = 4096;

/**
 * Reads the files that settings name, relative to the folder of the settings file. One line end is taken off, which
 * editors and `echo` leave behind; everything else counts. Undefined for what is no file, no UTF-8, or too large.
 */
export function createSecretFileReader(folder: string): ReadSecretFile {
  return (path) => {
    try {
      const file = resolve(folder, path);
      const found = statSync(file);
      // A pipe would keep the process waiting for whoever writes to it.
      if (!found.isFile() || found.size > MAX_BYTES) return undefined;
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      return decoder.decode(readFileSync(file)).replace(/\r?\n$/, '');
    } catch {
      return undefined;
    }
  };
}
