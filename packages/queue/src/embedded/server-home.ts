import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { isCode } from '../errors.ts';
import type { Log } from '../log.ts';

/** Root stores the files here that the unprivileged user `nobody` must reach. */
export const SHARED_FOLDER = '/var/lib/aftermeet';

/** The text file that is left in a folder whose data had to go elsewhere. */
const POINTER_FILE = 'where-the-data-is.txt';

/** The folders and the user of an embedded server. */
export interface ServerHome {
  /** The configured folder, for display. */
  readonly directory: string;
  readonly user: ServerUser | undefined;
  /** Holds the cluster, the socket and the server's log. */
  readonly folder: string;
  /** The data, and with TCP the password. Appears complete. */
  readonly cluster: string;
  readonly data: string;
  readonly logFile: string;
}

/**
 * Finds or creates the folder of an embedded server. As root the server runs as another user. When that user cannot enter
 * the configured folder, the data goes below {@link SHARED_FOLDER}; a text file in the configured folder and the log
 * name the place.
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

/** A folder that all users may enter, with any umask. */
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

/** The unprivileged user that runs the server for root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** The user `nobody`, which exists on every Linux; initdb requires a user with a name. */
const UNPRIVILEGED_USER: ServerUser = { uid: 65534, gid: 65534 };

/**
 * The user that runs the server; `undefined` is the current one. PostgreSQL refuses to run as root, so for root it is the
 * owner of the existing cluster, or the user `nobody`.
 */
async function chooseServerUser(cluster: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== 'linux') {
    throw new Error(
      'the embedded PostgreSQL refuses to run as root: run as an ordinary user, or set QUEUE_URL to a redis:// or postgres:// server',
    );
  }
  try {
    const { uid, gid } = await stat(cluster);
    return uid === 0 ? UNPRIVILEGED_USER : { uid, gid };
  } catch {
    // Nothing there yet.
    return UNPRIVILEGED_USER;
  }
}

/** Whether `user` may enter a folder and each folder above it. */
export async function canEnter(folder: string, user: ServerUser): Promise<boolean> {
  if (!(await isAllowed(folder, user, 0o1))) return false;
  const above = path.dirname(folder);
  return above === folder || (await canEnter(above, user));
}

/** Whether the mode of one file or folder gives `user` these rights (`rwx` bits, 0o1 to 0o7). */
export async function isAllowed(file: string, user: ServerUser, rights: number): Promise<boolean> {
  const { uid, gid, mode } = await stat(file);
  let shift = 0;
  if (uid === user.uid) shift = 6;
  else if (gid === user.gid) shift = 3;
  return ((mode >> shift) & rights) === rights;
}

/**
 * Creates a folder and missing ones above it. Node's recursive mkdir never returns on a file system that accepts no
 * folders, such as `/proc`; this rejects.
 */
export async function makeFolders(folder: string): Promise<void> {
  if (await makeOne(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) await makeFolders(above);
  if (above === folder || !(await makeOne(folder))) {
    throw new Error(`the folder ${folder} cannot be made: this place takes no folders`);
  }
}

/** False when the folder above is missing, or seems so. */
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

/** A unix socket address has room for about 104 bytes, the file name included. */
const LONGEST_PATH_BYTES = 100;

const SOCKET_FILE = '.s.PGSQL.5432';

/** PostgreSQL writes the number of the server's process there. */
export const SOCKET_LOCK_FILE = `${SOCKET_FILE}.lock`;

/**
 * Creates the folder of the server's socket: mode 0700, owned by the server's user. It is in the server's home, or, when
 * that path is too long or has characters that the setting cannot hold, in the folder for temporary files. Another user
 * could have created it there, so the owner is checked.
 */
export async function makeSocketFolder(home: ServerHome): Promise<string> {
  const own = path.join(home.folder, 'socket');
  if (fitsSocket(own)) {
    await makePrivateFolder(own, home);
    return own;
  }
  const uid = home.user?.uid ?? process.getuid?.() ?? 0;
  const hash = createHash('sha256').update(home.folder).digest('hex').slice(0, 12);
  const folder = path.join(await findTemporaryFolder(home), `aftermeet-${uid}-${hash}`);
  try {
    await mkdir(folder, { mode: 0o700 });
    if (home.user !== undefined) await chown(folder, home.user.uid, home.user.gid);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new Error(
      `${folder} is not a folder of user ${uid} alone, so the embedded PostgreSQL will not put its socket there: remove it`,
    );
  }
  return folder;
}

function fitsSocket(folder: string): boolean {
  return /^[\w/.-]+$/.test(folder) && Buffer.byteLength(`${folder}/${SOCKET_FILE}`) <= LONGEST_PATH_BYTES;
}

async function findTemporaryFolder(home: ServerHome): Promise<string> {
  const folder = os.tmpdir();
  const isUsable = fitsSocket(path.join(folder, 'aftermeet-4294967295-0123456789ab'));
  if (!isUsable || (home.user !== undefined && !(await canEnter(folder, home.user)))) return '/tmp';
  return folder;
}

/** A folder that only the server's user can enter. */
export async function makePrivateFolder(folder: string, home: ServerHome): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (home.user !== undefined) await chown(folder, home.user.uid, home.user.gid);
  await chmod(folder, 0o700);
}
