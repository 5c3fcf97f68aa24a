import { stat } from 'node:fs/promises';
import path from 'node:path';

/** The unprivileged user that runs the server when we are root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` exists on every Linux; initdb insists on a user that has a name. */
const NOBODY: ServerUser = { uid: 65534, gid: 65534 };

/**
 * Who runs the server. PostgreSQL refuses to run as root: then it is the owner of the cluster that is
 * there already, or `nobody`. `undefined` means: whoever we are.
 */
export async function chooseServerUser(cluster: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== 'linux') {
    throw new Error(
      'the embedded PostgreSQL refuses to run as root: run as an ordinary user, or set QUEUE_URL to a redis:// or postgres:// server',
    );
  }
  try {
    const { uid, gid } = await stat(cluster);
    return uid === 0 ? NOBODY : { uid, gid };
  } catch {
    // Nothing there yet.
    return NOBODY;
  }
}

/** Whether `user` may go into a folder, that is, into it and every folder above it. */
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
