import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import path from 'node:path';

import { isCode } from '../is-code.ts';

/** What a running server says of itself in `postmaster.pid`; a killed one leaves the file behind. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** The folder of its socket, or 127.0.0.1. */
  readonly host: string;
}

/** Reads `postmaster.pid`: `undefined` when there is none or it is not complete yet. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(data, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  // PostgreSQL documents the lines in miscadmin.h: pid, data, start time, port, socket folder, address.
  const [pid, , , port, socketFolder, address] = text.split('\n');
  const host = (socketFolder ?? '') === '' ? address : socketFolder;
  if (!Number(pid) || !Number(port) || host === undefined || host === '') return undefined;
  return { pid: Number(pid), port: Number(port), host };
}

/**
 * Removes the lock of a dead server whose number another process has now, which happens in restarted
 * containers; PostgreSQL would refuse to start for ever. Only where it can be seen (Linux) that no
 * process works in the data folder, as every process of a server does. Says whether it was removed.
 */
export async function removeStaleLock(data: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process that has just ended, or is none of ours, can't be read.
    const folder = await readlink(`/proc/${name}/cwd`).catch(() => '');
    if (folder === data) return false;
  }
  await rm(path.join(data, 'postmaster.pid'), { force: true });
  return true;
}
