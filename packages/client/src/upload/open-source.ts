import { basename } from 'node:path';

import { openBytes } from './open-bytes.ts';
import { openPath } from './open-path.ts';
import { openStream } from './open-stream.ts';
import { spoolStream } from './spool-stream.ts';
import { refuseUpload } from './upload-fault.ts';
import type { UploadFile } from './upload-file.ts';
import type { UploadSource } from './upload.ts';

/** The name under which a source is uploaded. Refuses what is no source, for callers without types. */
export function nameSource(source: UploadSource): string {
  if (typeof source === 'object' && source !== null) {
    // A path without a name is refused as what it is, not for its name.
    if ('path' in source && typeof source.path === 'string') return basename(source.path) || 'file';
    if ('bytes' in source && source.bytes instanceof Uint8Array) return source.filename;
    if ('stream' in source && isStream(source.stream)) return source.filename;
  }
  throw refuseUpload(
    'the source must be { path }, { bytes, filename } with a Uint8Array, or { stream, filename } with an async iterable',
  );
}

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Opens a source that `nameSource` took; whoever opened it closes it. */
export async function openSource(source: UploadSource, signal: AbortSignal | undefined): Promise<UploadFile> {
  if ('path' in source) return openPath(source.path);
  if ('bytes' in source) return openBytes(source.bytes, source.filename);
  const { stream, filename, size } = source;
  return size === undefined ? spoolStream(stream, filename, signal) : openStream(stream, filename, size);
}
