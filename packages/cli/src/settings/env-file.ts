import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';

import { readErrorCode, WrongUse } from '../errors.ts';
import type { Environment } from './settings.ts';

const MAX_BYTES = 64 * 1024;

/** What the folder of somebody else's project may not decide: which files are read, and which profile is used. */
const withheld = /_FILE$|^(?:HOME|APPDATA|XDG_CONFIG_HOME|AFTERMEET_PROFILE|AFTERMEET_CONFIG)$/;

/** The secrets that go to an address: a file names both, or neither. */
const secretsOf: Readonly<Record<string, string>> = {
  SERVICE_BASE_URL: 'SERVICE_API_KEY',
  SERVICE_MCP_URL: 'SERVICE_API_KEY',
  AFTERMEET_URL: 'ADMIN_TOKEN',
  SLACK_API_URL: 'SLACK_BOT_TOKEN',
  NOTION_BASE_URL: 'NOTION_TOKEN',
};

/**
 * The variables of an `.env` file that the environment does not have. None if there is no such file: a folder of that name
 * is a Python environment. An address does not count where the environment has the secret that would be sent there.
 * Throws `WrongUse` for a file that can't be read.
 */
export function readEnvFile(path: string | undefined, environment: Environment): Environment {
  if (path === undefined) return {};
  const variables = Object.entries(parseEnv(readText(path)));
  return Object.fromEntries(
    variables.filter(([name]) => {
      const secret = secretsOf[name];
      const isForeign = secret !== undefined && isGiven(secret, environment);
      return !withheld.test(name) && !isForeign && !isGiven(name, environment);
    }),
  );
}

function readText(path: string): string {
  try {
    const found = statSync(path);
    // A pipe would block the process until it is written to.
    if (!found.isFile()) return '';
    if (found.size > MAX_BYTES) throw new WrongUse('The file .env is over 64 KiB.\n');
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof WrongUse) throw error;
    const code = readErrorCode(error) ?? 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    throw new WrongUse(`The file .env can't be read (${code}).\n`);
  }
}

/** A secret can be given as a file too. */
function isGiven(name: string, environment: Environment): boolean {
  return environment[name] !== undefined || environment[`${name}_FILE`] !== undefined;
}
