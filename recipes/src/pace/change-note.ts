import type { z } from 'zod';

import type { Cells } from './cells.ts';
import { readNote } from './read-note.ts';

/** A cell that holds a note. */
interface NoteCell<Note> {
  readonly name: string;
  readonly schema: z.ZodType<Note>;
  readonly keepMs: number;
  /** The text that the caller has seen there last: when it is still there, one round trip is enough. */
  readonly known?: string | undefined;
}

/**
 * Changes a note by what it says: thought out anew whenever somebody else came first. `think` is pure; without a `next`
 * the note stays. The text is what the cell holds then. Milliseconds since 1970.
 */
export async function changeNote<Note, Answer>(
  cells: Pick<Cells, 'swap'>,
  { name, schema, keepMs, known }: NoteCell<Note>,
  think: (note: Note | undefined) => { readonly answer: Answer; readonly next?: Note },
  nowMs: number,
): Promise<{ readonly answer: Answer; readonly text: string | undefined }> {
  let text = known;
  for (;;) {
    const { answer, next: note } = think(readNote(schema, text));
    if (note === undefined) return { answer, text };
    const next = JSON.stringify(note);
    const [found] = await cells.swap([{ name, known: text, next, keepMs }], nowMs);
    if (found === undefined) return { answer, text: next };
    text = found;
  }
}
