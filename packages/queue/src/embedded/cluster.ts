import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describeError } from '../describe-error.ts';
import { isCode } from '../is-code.ts';
import type { Binaries } from './binaries.ts';
import { runProgram } from './run-program.ts';
import type { ServerHome } from './server-home.ts';

/** The name of the server's superuser and of the database we use. */
export const DATABASE_USER = 'aftermeet';
export const DATABASE = 'postgres';

/** `unix`: a socket in a folder that only the server's user enters; `tcp`: 127.0.0.1 with a password. */
export type Transport = 'unix' | 'tcp';

const LEFTOVER_AFTER_MS = 10 * 60 * 1000;

/**
 * Makes the database cluster when there is none. It is made under a temporary name and renamed, so that
 * two processes can't make one cluster together and a crash leaves no half of one.
 */
export async function makeCluster(home: ServerHome, binaries: Binaries, transport: Transport): Promise<void> {
  if (await isThere(home.data)) return;
  await removeLeftovers(home.folder);
  const temporary = path.join(home.folder, `cluster.new-${process.pid}-${randomBytes(4).toString('hex')}`);
  await makePrivateFolder(temporary, home);
  try {
    await runProgram(
      binaries.initdb,
      [
        '--pgdata',
        path.join(temporary, 'data'),
        '--username',
        DATABASE_USER,
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        ...(await makeAuthentication(temporary, home, transport)),
      ],
      { user: home.user, folder: home.folder, environment: binaries.environment },
    );
    await rename(temporary, home.cluster);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another process was faster.
    if (await isThere(home.data)) return;
    throw new Error(
      `the embedded PostgreSQL could not make its database in ${home.folder}: ${describeError(error)}. ` +
        'Correct this, or set QUEUE_URL to a redis:// or postgres:// server.',
      { cause: error },
    );
  }
}

/** The password of a cluster that is reached by TCP. */
export async function readPassword(home: ServerHome): Promise<string | undefined> {
  try {
    return (await readFile(path.join(home.cluster, 'password'), 'utf8')).trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** A folder that only the server's user enters. */
export async function makePrivateFolder(folder: string, home: ServerHome): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (home.user !== undefined) await chown(folder, home.user.uid, home.user.gid);
  await chmod(folder, 0o700);
}

async function makeAuthentication(
  cluster: string,
  home: ServerHome,
  transport: Transport,
): Promise<string[]> {
  if (transport === 'unix') return ['--auth=trust'];
  const file = path.join(cluster, 'password');
  await writeFile(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (home.user !== undefined) await chown(file, home.user.uid, home.user.gid);
  return ['--auth=scram-sha-256', `--pwfile=${file}`];
}

/** What a starter that was killed in the middle has left behind. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('cluster.new-')) continue;
    const leftover = path.join(folder, name);
    const { mtimeMs } = await stat(leftover);
    if (Date.now() - mtimeMs > LEFTOVER_AFTER_MS) await rm(leftover, { recursive: true, force: true });
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}
