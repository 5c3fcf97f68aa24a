import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { readErrorCode, WrongUse } from '../errors.ts';
import type { Environment } from './settings.ts';

/** The profile of `aftermeet login` without a name. */
export const DEFAULT_PROFILE = 'default';

/** Names that are safe to print and to paste. */
export const profileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const profileSchema = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  mcpUrl: z.string().exactOptional(),
});

const profilesSchema = z.record(z.string(), profileSchema);

/** Addresses and key of a service, stored by `aftermeet login`. They are used together or not at all. */
export type Profile = z.infer<typeof profileSchema>;

/** The stored profiles by name; none without a file. Throws `WrongUse` if the file can't be read. */
export function readProfiles(environment: Environment): ReadonlyMap<string, Profile> {
  const path = findProfilesFile(environment);
  if (path === undefined) return new Map();
  try {
    return new Map(Object.entries(profilesSchema.parse(JSON.parse(readFileSync(path, 'utf8')))));
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return new Map();
    throw new WrongUse(
      `The profiles in ${path} can't be read. Remove the file, and log in: aftermeet login\n`,
    );
  }
}

/** Stores a profile, or removes it, and returns the path of the file. Other users of the machine can't read it. */
export async function storeProfile(
  environment: Environment,
  name: string,
  profile: Profile | undefined,
): Promise<string> {
  const path = findProfilesFile(environment);
  if (path === undefined) {
    throw new WrongUse('There is no folder for your settings: set HOME, or XDG_CONFIG_HOME.\n');
  }
  const profiles = new Map(readProfiles(environment));
  if (profile === undefined) profiles.delete(name);
  else profiles.set(name, profile);
  const folder = join(path, '..');
  const temporary = `${path}.${randomUUID()}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    const text = `${JSON.stringify(Object.fromEntries(profiles), null, 2)}\n`;
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw new WrongUse(`The file ${path} can't be written (${readErrorCode(error) ?? 'unknown'}).\n`);
  }
  return path;
}

/** In the folder that the system has for settings of its user. Undefined: there is none, as in many containers. */
function findProfilesFile(environment: Environment): string | undefined {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: appData = '', HOME: home = '' } = environment;
  const name = join('aftermeet', 'profiles.json');
  if (xdg !== '') return join(xdg, name);
  if (process.platform === 'win32') return appData === '' ? undefined : join(appData, name);
  if (home === '') return undefined;
  return join(
    home,
    ...(process.platform === 'darwin' ? ['Library', 'Application Support'] : ['.config']),
    name,
  );
}
