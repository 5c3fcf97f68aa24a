import { readFile } from 'node:fs/promises';

import type { Context } from '../context.ts';
import { readErrorCode, WrongUse } from '../errors.ts';

/** Far above any report block, and small enough for memory. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Piped input as text; throws `WrongUse` with `hint` if there is none. */
export async function readPipedText({ openInput }: Context, hint: string): Promise<string> {
  const input = openInput?.();
  if (input === undefined) throw new WrongUse(`${hint}\n`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    if (size > MAX_TEXT_BYTES) throw new WrongUse(`The piped input has over ${MAX_TEXT_BYTES} bytes.\n`);
    chunks.push(chunk);
  }
  // An empty pipe means a failed command before it, or no pipe; it is never a wish for an empty text.
  if (size === 0) throw new WrongUse(`The piped input is empty. ${hint}\n`);
  return decode(Buffer.concat(chunks), 'The piped input');
}

/** The text of a file; throws `WrongUse`. */
export async function readTextFile(path: string): Promise<string> {
  const what = `The file ${JSON.stringify(path)}`;
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new WrongUse(`${what} can't be read (${readErrorCode(error) ?? 'it is not there'}).\n`);
  });
  if (bytes.length > MAX_TEXT_BYTES) throw new WrongUse(`${what} is over ${MAX_TEXT_BYTES} bytes.\n`);
  return decode(bytes, what);
}

function decode(bytes: Uint8Array, what: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    // A fatal decoder has no other error.
    throw new WrongUse(`${what} is not UTF-8 text.\n`);
  }
}
