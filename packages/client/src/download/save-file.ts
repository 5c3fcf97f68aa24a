import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { link as linkFile, lstat, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { operations } from '@aftermeet/contract';

import type { DownloadProgress } from '../client.ts';
import { ServiceError } from '../errors.ts';
import { isPathCode } from '../system-fault.ts';
import { cutToBytes } from './filename.ts';

/** A file that is arriving. */
export interface ArrivingFile {
  readonly first: Uint8Array;
  readonly rest: {
    readonly totalBytes: number | undefined;
    next(): Promise<Uint8Array | undefined>;
  };
}

export interface SaveOptions {
  readonly overwrite: boolean;
  readonly onProgress: ((progress: DownloadProgress) => void) | undefined;
  /** Undefined: its owner alone may read and write it. */
  readonly mode?: number | undefined;
}

/** What was said in a meeting is not for other users of the machine, unless the caller says so. */
const OWNER_ONLY = 0o600;

/** Of the target's name: enough to know the file by, if the process is killed. */
const MAX_NAME_BYTES = 100;

/**
 * Writes the file beside its target under a name that cannot be guessed, then moves it into place: the target
 * is there whole or not at all. Returns its size in bytes. After any fault nothing is left behind.
 */
export async function saveFile(opened: ArrivingFile, target: string, options: SaveOptions): Promise<number> {
  const name = cutToBytes(basename(target), MAX_NAME_BYTES);
  const temporary = join(dirname(target), `.${name}.${randomUUID()}.part`);
  try {
    const bytes = await writeTemporary(opened, temporary, options);
    await placeFile(temporary, target, options.overwrite);
    return bytes;
  } catch (error) {
    throw toFileError(error);
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

async function writeTemporary(
  opened: ArrivingFile,
  temporary: string,
  { onProgress, mode }: SaveOptions,
): Promise<number> {
  const { totalBytes } = opened.rest;
  let receivedBytes = 0;
  async function* countPieces(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let piece: Uint8Array | undefined = opened.first; piece !== undefined;) {
      yield piece;
      receivedBytes += piece.length;
      onProgress?.({ receivedBytes, ...(totalBytes === undefined ? {} : { totalBytes }) });
      piece = await opened.rest.next();
    }
  }
  const handle = await open(temporary, 'wx', OWNER_ONLY);
  try {
    // The umask would take rights away from a mode that is given to `open`.
    if (mode !== undefined) await handle.chmod(mode);
    await writeFile(handle, countPieces());
    // Before the name is given: a file with its right name must not be empty after a power cut.
    await handle.sync();
  } finally {
    await handle.close();
  }
  return receivedBytes;
}

/** File systems without hard links say one of these. */
const linkless: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EACCES',
]);

/**
 * Gives a finished file its name within the same folder. Without `overwrite` a file that appeared there in the
 * meantime is never replaced: then it fails with `EEXIST`. The temporary name may stay
 * behind for the caller to remove.
 */
export async function placeFile(
  temporary: string,
  target: string,
  overwrite: boolean,
  link: typeof linkFile = linkFile,
): Promise<void> {
  if (overwrite) return rename(temporary, target);
  try {
    await link(temporary, target);
  } catch (error) {
    if (!linkless.has(readFileFaultCode(error) ?? '')) throw error;
    await reserveAndRename(temporary, target);
  }
}

/** The empty file takes the name for us; only what we made ourselves is then replaced. */
async function reserveAndRename(temporary: string, target: string): Promise<void> {
  await (await open(target, 'wx', OWNER_ONLY)).close();
  try {
    await rename(temporary, target);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}

/** Whether the path is a folder, into which a file with a safe name goes. */
export async function isFolder(path: string): Promise<boolean> {
  if (path === '') throw refuseTarget('must be that of a file or a folder; found empty text');
  const found = await lookAt(() => stat(path));
  if (found === undefined && /[/\\]$/.test(path))
    throw refuseTarget('is that of a folder that does not exist');
  return found?.isDirectory() === true;
}

/** Throws `conflict` for what is there and may not be replaced, and for a device or the like in any case. */
export async function checkTarget(path: string, overwrite: boolean): Promise<void> {
  const found = await lookAt(() => lstat(path));
  if (found === undefined) return;
  if (!overwrite) throw refuseExistingFile();
  // Of a link the link itself is replaced, never what it points to.
  if (!found.isFile() && !found.isSymbolicLink())
    throw refuseTarget('is that of something other than a file');
}

async function lookAt(look: () => Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await look();
  } catch (error) {
    if (readFileFaultCode(error) === 'ENOENT') return undefined;
    throw toFileError(error);
  }
}

/** The code of a fault of the file system; undefined for every other error. */
function readFileFaultCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return 'syscall' in error || error.code.startsWith('ERR_INVALID_ARG') ? error.code : undefined;
}

/**
 * A fault of the file system as a `ServiceError`, without the path: `conflict` and `bad_request` for a path that
 * can't be used, else `file_system` (no space, no permission). Every other error as it is.
 */
export function toFileError(error: unknown): unknown {
  const code = readFileFaultCode(error);
  if (code === undefined) return error;
  if (code === 'EEXIST') return refuseExistingFile();
  const rule = `cannot be written (${code})`;
  if (isPathCode(code) || code.startsWith('ERR_')) return refuseTarget(rule, code);
  return new ServiceError({
    code: 'file_system',
    operation: operations.exports.download,
    detail: `the file ${rule}`,
    systemCode: code,
  });
}

function refuseExistingFile(): ServiceError {
  const detail = 'a file with this name is there already: allow overwriting it, or choose another name';
  return new ServiceError({ code: 'conflict', operation: operations.exports.download, detail });
}

/** `rule` continues "the path". */
function refuseTarget(rule: string, systemCode?: string): ServiceError {
  const operation = operations.exports.download;
  return new ServiceError({ code: 'bad_request', operation, detail: `the path ${rule}`, systemCode });
}
