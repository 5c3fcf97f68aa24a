import { readFile } from 'node:fs/promises';

import type { Context } from '../context.ts';
import { WrongUse } from '../wrong-use.ts';

/** Far above any report block, far below what would trouble the memory. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** What is piped in, as text; throws `WrongUse` with `hint` when there is none. */
export async function readPipedText({ openInput }: Context, hint: string): Promise<string> {
  const input = openInput?.();
  if (input === undefined) throw new WrongUse(`${hint}\n`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    if (size > MAX_TEXT_BYTES)
      throw new WrongUse(`What is piped in is over ${MAX_TEXT_BYTES} bytes: too long for a text.\n`);
    chunks.push(chunk);
  }
  // An empty pipe is a command before it that failed, or no pipe at all: never somebody's wish for no text.
  if (size === 0) throw new WrongUse(`Nothing was piped in. ${hint}\n`);
  return decode(Buffer.concat(chunks), 'What is piped in');
}

/** A text file of the person. */
export async function readTextFile(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'it is not there';
    throw new WrongUse(`The file ${JSON.stringify(path)} can't be read (${code}).\n`);
  }
  if (bytes.length > MAX_TEXT_BYTES)
    throw new WrongUse(`The file ${JSON.stringify(path)} is over ${MAX_TEXT_BYTES} bytes.\n`);
  return decode(bytes, `The file ${JSON.stringify(path)}`);
}

function decode(bytes: Uint8Array, what: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    // A fatal decoder has no other answer.
    throw new WrongUse(`${what} is no text in UTF-8.\n`);
  }
}
