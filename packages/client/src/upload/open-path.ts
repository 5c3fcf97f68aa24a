import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';

import { ServiceError } from '../service-error.ts';
import { fillFromHandle } from './fill-from-handle.ts';
import { refuseUpload, reportChange, reportSystemFault } from './upload-fault.ts';
import type { UploadFile } from './upload-file.ts';

/** Opens a file that is there under a path. */
export async function openPath(path: string): Promise<UploadFile> {
  // Before it is opened: opening a pipe would wait for its other end.
  refuseIrregular(await look(path));
  const [handle, absolute, first] = await openHandle(path);

  const verify = async (): Promise<void> => {
    const now = await look(path).catch(() => undefined);
    if (now === undefined) throw reportChange('the file was removed while it was being uploaded');
    if (now.ino !== first.ino || now.dev !== first.dev)
      throw reportChange('the file was replaced while it was being uploaded');
    // Who writes can put the time of the content back, but not that of the change.
    if (now.size !== first.size || now.mtimeNs !== first.mtimeNs || now.ctimeNs !== first.ctimeNs) {
      throw reportChange('the file changed while it was being uploaded: upload it again when it is finished');
    }
  };
  return {
    size: Number(first.size),
    filename: basename(path),
    rereadable: true,
    identity: { path: absolute, modified: first.mtimeNs.toString() },
    async fill(into, offset) {
      await fillFromHandle(handle, into, offset);
      // After the read: what was changed before it shows.
      await verify();
    },
    verify,
    close: () => handle.close(),
  };
}

async function look(path: string): Promise<BigIntStats> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    throw reportSystemFault('the file cannot be found', error);
  }
}

/** With what the file is that was opened: under the path there may be another one by now. */
async function openHandle(path: string): Promise<readonly [FileHandle, string, BigIntStats]> {
  try {
    const absolute = await realpath(path);
    const handle = await open(absolute, 'r');
    try {
      const stats = await handle.stat({ bigint: true });
      refuseIrregular(stats);
      return [handle, absolute, stats];
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw reportSystemFault('the file cannot be opened', error);
  }
}

function refuseIrregular(stats: BigIntStats): void {
  if (stats.isFile()) return;
  throw refuseUpload('the path must be that of a regular file (send anything else as a stream)');
}
