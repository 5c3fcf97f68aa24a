import { endWithin } from './end-within.ts';

/** Something that is closed in good time when its store answers, and perhaps never when it doesn't. */
export interface Closable {
  close(): Promise<void>;
}

/** Lets what was taken already be written, but waits no longer than `timeoutMs` for a store that doesn't answer. */
export async function closeWriters(writers: readonly Closable[], timeoutMs: number): Promise<void> {
  await endWithin(Promise.all(writers.map((writer) => writer.close())), timeoutMs);
}
