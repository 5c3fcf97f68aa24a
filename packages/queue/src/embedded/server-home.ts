import { createHash } from 'node:crypto';
import { chmod, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Log } from '../log.ts';
import { makeFolders } from './make-folders.ts';
import { canEnter, chooseServerUser, type ServerUser } from './server-user.ts';

/** Where root keeps what `nobody` must reach. */
export const SHARED_FOLDER = '/var/lib/aftermeet';

/** The text file that is left in a folder whose data had to go elsewhere. */
const POINTER_FILE = 'where-the-data-is.txt';

/** Where an embedded server lives, and as whom. */
export interface ServerHome {
  /** For people: the folder that was asked for. */
  readonly directory: string;
  readonly user: ServerUser | undefined;
  /** Everything of ours: the cluster, the socket, the server's log. */
  readonly folder: string;
  /** Appears whole: data, and with TCP its port and password. */
  readonly cluster: string;
  readonly data: string;
  readonly logFile: string;
}

/**
 * Finds (and makes) the folder of an embedded server. As root the server runs as another user: when that
 * one can't enter the folder that was asked for, the data goes below {@link SHARED_FOLDER}, a text file
 * in the asked folder names the place, and the log says it.
 */
export async function findServerHome(directory: string, log: Log): Promise<ServerHome> {
  await makeFolders(directory);
  const asked = await realpath(directory);
  const user = await chooseServerUser(path.join(asked, 'cluster'));
  if (user === undefined || (await canEnter(asked, user))) return describeHome(asked, asked, user);

  const hash = createHash('sha256').update(asked).digest('hex').slice(0, 16);
  const folder = path.join(SHARED_FOLDER, hash);
  await makeOpenFolder(SHARED_FOLDER);
  await makeOpenFolder(folder);
  await writeFile(
    path.join(asked, POINTER_FILE),
    `PostgreSQL can't run as root, and user ${user.uid} can't enter this folder.\nThe data is in ${folder}\n`,
  );
  log.info(
    { asked, folder, uid: user.uid },
    "embedded PostgreSQL: its user can't enter the asked folder, the data is kept elsewhere",
  );
  return describeHome(asked, folder, await chooseServerUser(path.join(folder, 'cluster')));
}

/** A folder that everybody may enter, whatever the umask. */
export async function makeOpenFolder(folder: string): Promise<void> {
  await makeFolders(folder);
  await chmod(folder, 0o755);
}

function describeHome(directory: string, folder: string, user: ServerUser | undefined): ServerHome {
  const cluster = path.join(folder, 'cluster');
  return {
    directory,
    user,
    folder,
    cluster,
    data: path.join(cluster, 'data'),
    logFile: path.join(folder, 'server.log'),
  };
}
