import type { JournalNote } from './journal.ts';

/** Notes are written together, this long after the first of them. Milliseconds. */
const EVERY_MS = 100;
/** Notes of one write. */
const MAX_GROUP = 500;
/** Under a load that is too large, or while the store is away, further notes are dropped. */
const MAX_WAITING = 10_000;

/** Collects notes and writes them together: what is noted costs no step of its own. A group that cannot be written is dropped. */
export function createNoteBuffer(write: (group: readonly JournalNote[]) => Promise<void>): {
  readonly note: (note: JournalNote) => void;
  /** Writes what was noted so far. */
  flush(): Promise<void>;
  /** Resolves when everything is written, or dropped. */
  close(): Promise<void>;
} {
  let waiting: JournalNote[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP);
      waiting = waiting.slice(MAX_GROUP);
      await write(group).catch(() => undefined);
    }
  }
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    return writing;
  }
  return {
    note(note) {
      if (waiting.length >= MAX_WAITING) return;
      waiting.push(note);
      timer ??= setTimeout(() => void flush(), EVERY_MS).unref();
    },
    flush,
    async close() {
      await flush();
      // What was noted while the last group was written.
      if (waiting.length > 0) await flush();
    },
  };
}
