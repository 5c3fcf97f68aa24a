import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';

import type { UploadSource } from '../client.ts';
import { ServiceError } from '../errors.ts';
import { refuseUpload, sourceChanged, toFileError } from './upload-errors.ts';
import { checkSize, openStream, type UploadFile } from './upload-file.ts';

/** The name under which a source is uploaded. Refuses what is no source, for callers without types. */
export function nameSource(source: UploadSource): string {
  if (typeof source === 'object' && source !== null) {
    // A path without a name is refused as what it is, not for its name.
    if ('path' in source && typeof source.path === 'string') return basename(source.path) || 'file';
    if ('bytes' in source && source.bytes instanceof Uint8Array) return source.filename;
    if ('stream' in source && isStream(source.stream)) {
      if (source.size === undefined) {
        throw refuseUpload(
          'a stream needs its size: give size, or save the stream to a file and upload its path',
        );
      }
      return source.filename;
    }
  }
  throw refuseUpload(
    'the source must be { path }, { bytes, filename } with a Uint8Array, or { stream, filename, size } with an async iterable',
  );
}

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Opens a source that `nameSource` took. Throws `bad_request` for a size that cannot be uploaded. */
export async function openSource(source: UploadSource): Promise<UploadFile> {
  const file = await openAny(source);
  try {
    checkSize(file.size);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openAny(source: UploadSource): Promise<UploadFile> {
  if ('path' in source) return openPath(source.path);
  if ('bytes' in source) return openBytes(source.bytes, source.filename);
  return openStream(source.stream, source.filename, source.size);
}

function openBytes(bytes: Uint8Array, filename: string): UploadFile {
  return {
    size: bytes.length,
    filename,
    rereadable: true,
    fill: async (into, offset) => into.set(bytes.subarray(offset, offset + into.length)),
    peek: async (length) => bytes.subarray(0, length),
    verify: async () => {},
    close: async () => {},
  };
}

/** Opens a file that exists under a path. */
async function openPath(path: string): Promise<UploadFile> {
  // Before it is opened: opening a pipe would wait for its other end.
  refuseIrregular(await statPath(path));
  const [handle, absolute, first] = await openHandle(path);

  const verify = async (): Promise<void> => {
    const now = await statPath(path).catch(() => undefined);
    if (now === undefined) throw sourceChanged('the file was removed while it was being uploaded');
    if (now.ino !== first.ino || now.dev !== first.dev) {
      throw sourceChanged('the file was replaced while it was being uploaded');
    }
    // A writer can put the time of the content back, but not that of the change.
    if (now.size !== first.size || now.mtimeNs !== first.mtimeNs || now.ctimeNs !== first.ctimeNs) {
      throw sourceChanged(
        'the file changed while it was being uploaded: upload it again when it is finished',
      );
    }
  };
  return {
    size: Number(first.size),
    filename: basename(path),
    rereadable: true,
    identity: { path: absolute, modified: first.mtimeNs.toString() },
    async fill(into, offset) {
      await fillFromHandle(handle, into, offset);
      // After the read: a change before it shows.
      await verify();
    },
    async peek(length) {
      const head = new Uint8Array(Math.min(length, Number(first.size)));
      await fillFromHandle(handle, head, 0);
      return head;
    },
    verify,
    close: () => handle.close(),
  };
}

async function statPath(path: string): Promise<BigIntStats> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    throw toFileError('the file cannot be found', error);
  }
}

/** With the state of the file that was opened: the path may lead to another one by now. */
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
    throw toFileError('the file cannot be opened', error);
  }
}

function refuseIrregular(stats: BigIntStats): void {
  if (stats.isFile()) return;
  throw refuseUpload('the path must be that of a regular file (send anything else as a stream)');
}

/** A file that ends before `into` is full has become shorter. */
async function fillFromHandle(handle: FileHandle, into: Uint8Array, offset: number): Promise<void> {
  for (let filled = 0; filled < into.length;) {
    const rest = into.subarray(filled);
    const { bytesRead } = await handle.read(rest, 0, rest.length, offset + filled).catch((error: unknown) => {
      throw toFileError('the file cannot be read', error);
    });
    if (bytesRead === 0) throw sourceChanged('the file became shorter while it was being read');
    filled += bytesRead;
  }
}
