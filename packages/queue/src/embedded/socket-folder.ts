import { createHash } from 'node:crypto';
import { chown, lstat, mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { isCode } from '../is-code.ts';
import { makePrivateFolder } from './cluster.ts';
import type { ServerHome } from './server-home.ts';
import { canEnter } from './server-user.ts';

/** The address of a unix socket has room for about 104 bytes, the file name included. */
const LONGEST_PATH_BYTES = 100;
const SOCKET_FILE = '/.s.PGSQL.5432';

/**
 * Makes the folder of the server's socket: 0700, owned by the server's user. It lies in the server's
 * home, or, when that path is too long (or has characters that the setting can't hold), in the folder
 * for temporary files; there somebody else could have made it first, so the owner is checked.
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
  return /^[\w/.-]+$/.test(folder) && Buffer.byteLength(folder + SOCKET_FILE) <= LONGEST_PATH_BYTES;
}

async function findTemporaryFolder(home: ServerHome): Promise<string> {
  const folder = os.tmpdir();
  const isUsable = fitsSocket(path.join(folder, 'aftermeet-4294967295-0123456789ab'));
  if (!isUsable || (home.user !== undefined && !(await canEnter(folder, home.user)))) return '/tmp';
  return folder;
}
