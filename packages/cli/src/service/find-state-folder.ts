import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import type { Context } from '../context.ts';
import type { Environment } from '../settings/settings.ts';

/**
 * Where uploads are noted: the user's folder for state (XDG Base Directory Specification, which says that a
 * relative path in its variable counts for nothing), on Windows the one for local data. Undefined where no
 * variable has an absolute path and the system knows no home folder: notes must not end up in the current one.
 */
export function findStateFolder(
  environment: Environment,
  platform: NodeJS.Platform,
  findHome: () => string = homedir,
): string | undefined {
  const isWindows = platform === 'win32';
  const base =
    findAbsolute(environment[isWindows ? 'LOCALAPPDATA' : 'XDG_STATE_HOME']) ??
    findBelowHome(environment, isWindows ? ['AppData', 'Local'] : ['.local', 'state'], findHome);
  return base && join(base, 'aftermeet', 'uploads');
}

/** The same as an option of an upload; where there is no folder, people are told what that means. */
export function readStateFolder(
  { environment, writeError }: Context,
  json: boolean | undefined,
  findHome: () => string = homedir,
): { readonly stateFolder?: string } {
  const stateFolder = findStateFolder(environment, process.platform, findHome);
  if (stateFolder !== undefined) return { stateFolder };
  if (json !== true) {
    writeError(
      'There is no home folder to note uploads in: one that breaks off begins anew. Set HOME to an absolute path.\n',
    );
  }
  return {};
}

function findBelowHome(
  environment: Environment,
  below: readonly string[],
  findHome: () => string,
): string | undefined {
  const home =
    findAbsolute(environment['HOME']) ??
    findAbsolute(environment['USERPROFILE']) ??
    findAbsolute(askSystem(findHome));
  return home && join(home, ...below);
}

/** Of a user without an entry, such as a container may have, the system knows no home and throws. */
function askSystem(findHome: () => string): string | undefined {
  try {
    return findHome();
  } catch {
    return undefined;
  }
}

function findAbsolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
