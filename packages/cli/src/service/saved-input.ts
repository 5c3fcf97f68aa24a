import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';

import { limits } from '@aftermeet/contract';

import { EXIT_FAILED, Failure } from '../errors.ts';

export interface SavedInput {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly size: number;
}

/**
 * Saves piped input in a temporary file, because an upload needs its size before its first byte. The file has no name
 * while it is open, so that nothing is left if the process is killed. Throws a `Failure` if it cannot be written.
 */
export async function withSavedInput<Result>(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  use: (saved: SavedInput) => Promise<Result>,
): Promise<Result> {
  const handle = await openNameless();
  try {
    const size = await save(input, handle, signal);
    return await use({ stream: handle.createReadStream({ start: 0, autoClose: false }), size });
  } finally {
    await handle.close();
  }
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'aftermeet-upload-')).catch(refuse);
  try {
    return await open(join(folder, 'input'), 'wx+', 0o600).catch(refuse);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function save(
  input: AsyncIterable<Uint8Array>,
  handle: FileHandle,
  signal: AbortSignal,
): Promise<number> {
  let size = 0;
  // Ends also while the input is silent.
  for await (const piece of addAbortSignal(signal, Readable.from(input)) as AsyncIterable<Uint8Array>) {
    await handle.writeFile(piece).catch(refuse);
    size += piece.length;
    // More is refused by its size.
    if (size > limits.uploadMaxBytes) break;
  }
  return size;
}

function refuse(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  throw new Failure({
    exitCode: EXIT_FAILED,
    code: 'file_system',
    message: `Piped input cannot be saved in a temporary file: ${code}.`,
    advice: 'Is there room in the folder for temporary files, and can it be written?',
  });
}
