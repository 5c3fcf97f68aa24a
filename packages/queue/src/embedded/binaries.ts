import { chmod, cp, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import { isCode } from '../is-code.ts';
import { makeLibraryLinks, makeLibraryLinksIn } from './library-links.ts';
import { findPlatformPackage, type PlatformPackage } from './platform-package.ts';
import { makeOpenFolder, type ServerHome, SHARED_FOLDER } from './server-home.ts';
import { canEnter, isAllowed, type ServerUser } from './server-user.ts';

/** Programs that the server's user can run, and the environment they need. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Makes npm's PostgreSQL binaries runnable for the server's user: complete links, and within reach. */
export async function prepareBinaries(home: ServerHome): Promise<Binaries> {
  const found = findPlatformPackage();
  if (home.user !== undefined && !(await canRun(found.folder, home.user))) {
    const folder = await copyBinaries(found);
    await makeLibraryLinks(folder);
    return describeBinaries(folder, undefined);
  }
  try {
    await makeLibraryLinks(found.folder);
    return describeBinaries(found.folder, undefined);
  } catch (error) {
    if (!isCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
    const links = path.join(home.folder, 'lib');
    await makeLibraryLinksIn(links, found.folder);
    return describeBinaries(found.folder, links);
  }
}

/** `links` is a folder of ours that the loader must search as well. */
export function describeBinaries(folder: string, links: string | undefined): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => path.join(folder, 'bin', `${name}${suffix}`);
  // A clean environment: PG* variables of the user are meant for other servers. One language, so that
  // what the server says can be understood.
  const environment: NodeJS.ProcessEnv = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  if (process.platform === 'win32') environment['SystemRoot'] = process.env['SystemRoot'];
  if (links !== undefined) {
    const libraries = [links, path.join(folder, 'lib')].join(path.delimiter);
    environment[process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'] = libraries;
  }
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl'), environment };
}

async function canRun(folder: string, user: ServerUser): Promise<boolean> {
  return (
    (await canEnter(path.join(folder, 'bin'), user)) &&
    (await canEnter(path.join(folder, 'lib'), user)) &&
    (await isAllowed(path.join(folder, 'bin', 'postgres'), user, 0o5))
  );
}

/** A copy below /var/lib, made once per version; it appears whole. */
async function copyBinaries({ name, version, folder }: PlatformPackage): Promise<string> {
  const target = path.join(SHARED_FOLDER, `${path.basename(name)}-${version}`);
  const copy = path.join(target, 'native');
  if (await exists(copy)) return copy;
  const temporary = `${target}.new-${process.pid}`;
  await makeOpenFolder(SHARED_FOLDER);
  await rm(temporary, { recursive: true, force: true });
  await cp(folder, path.join(temporary, 'native'), { recursive: true, verbatimSymlinks: true });
  await openForAll(temporary);
  try {
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another process was faster.
    if (!(await exists(copy))) throw error;
  }
  return copy;
}

async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(file, 0o755);
    if (entry.isFile()) await chmod(file, path.basename(entry.parentPath) === 'bin' ? 0o755 : 0o644);
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}
