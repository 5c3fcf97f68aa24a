import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';

import type { Environment } from './settings.ts';

const MAX_BYTES = 64 * 1024;

/**
 * The variables of an `.env` file that the environment does not have. None if there is no such file: a folder of that name
 * is a Python environment.
 */
export function readEnvFile(path: string | undefined, environment: Environment): Environment {
  if (path === undefined) return {};
  try {
    const found = statSync(path);
    // A pipe would block the process until it is written to.
    if (!found.isFile() || found.size > MAX_BYTES) return {};
    const variables = Object.entries(parseEnv(readFileSync(path, 'utf8')));
    return Object.fromEntries(variables.filter(([name]) => !isGiven(name, environment)));
  } catch {
    return {};
  }
}

/** A secret can be given as a file too: `NAME_FILE` of the environment hides `NAME`, and the other way round. */
function isGiven(name: string, environment: Environment): boolean {
  const other = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
  return environment[name] !== undefined || environment[other] !== undefined;
}
