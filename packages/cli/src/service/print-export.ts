import type { ExportStream } from '@aftermeet/client';

import type { Context } from '../context.ts';
import { cleanText } from '../terminal/clean-text.ts';

/** Prints a file as it comes: its bytes into a pipe, its cleaned text to a person. */
export async function printExport(
  { isTerminal, write, writeBytes }: Context,
  open: () => Promise<ExportStream>,
): Promise<void> {
  const { stream } = await open();
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('An export must come as bytes.');
    if (isTerminal || writeBytes === undefined) write(cleanText(decoder.decode(chunk, { stream: true })));
    else await writeBytes(chunk);
  }
  write(cleanText(decoder.decode()));
}
