import type { z } from 'zod';

/** The note that a cell holds. A text that is no such note is none: it is replaced. */
export function readNote<Note>(schema: z.ZodType<Note>, text: string | undefined): Note | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
