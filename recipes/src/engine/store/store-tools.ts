import { hash } from 'node:crypto';

import { type createGroupedWriter, withDeadline } from '@aftermeet/queue';

/** Stands in front of a store: once it is closed, no caller waits for the store any more. */
interface Gate {
  /** Settles as the command does, or rejects when the gate is closed. What was asked may be done all the same. */
  pass<Answer>(command: () => Promise<Answer>): Promise<Answer>;
  close(): void;
}

export function createGate(): Gate {
  // Not a race against one promise: that would keep a note of everything that ever passed.
  const waiting = new Set<(error: Error) => void>();
  let isClosed = false;
  return {
    pass: (command) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(closedError());
          return;
        }
        waiting.add(reject);
        const leave = (): boolean => waiting.delete(reject);
        command().finally(leave).then(resolve, reject);
      }),
    close() {
      isClosed = true;
      for (const reject of waiting) reject(closedError());
      waiting.clear();
    },
  };
}

function closedError(): Error {
  return new Error('the store was closed meanwhile');
}

/** Something that is closed in good time when its store answers, and perhaps never when it doesn't. */
export interface Closable {
  close(): Promise<void>;
}

/** Lets what was taken already be written, but waits no longer than `timeoutMs` for a store that doesn't answer. */
export async function closeWriters(writers: readonly Closable[], timeoutMs: number): Promise<void> {
  await endWithin(Promise.all(writers.map((writer) => writer.close())), timeoutMs);
}

/**
 * Waits until something has ended, well or not, but no longer than `timeoutMs`. For closing: what does
 * not end is left behind.
 */
export async function endWithin(ending: Promise<unknown>, timeoutMs: number): Promise<void> {
  await withDeadline(ending, timeoutMs).catch(() => undefined);
}

type GroupSettings = Parameters<typeof createGroupedWriter<unknown, unknown>>[1];

/**
 * How a worker's steps are grouped. It waits patiently for a store that is away: what it does not store now it would
 * have to find out later. A claim that is applied long after its caller has given up does no harm: its lease, counted
 * from the caller's time, is over by then, and the next claim is a probe.
 */
export const groupSettings: GroupSettings = {
  maxGroup: 64,
  maxGroupSize: 64,
  maxInFlight: 2,
  maxWaiting: 100_000,
  maxWaitingSize: 100_000,
  startWithinMs: 35_000,
  answerWithinMs: 45_000,
  sizeOf: () => 1,
};

/** Lowercase hex SHA-256 of a text in UTF-8. */
export function hashText(text: string): string {
  return hash('sha256', text);
}

/**
 * An occurrence as milliseconds since 1970, so that two of them can be compared however they are written; 0 when it is
 * no time, which is neither older nor newer than another one.
 */
export function readOccurrenceMs(occurrence: string): number {
  const atMs = Date.parse(occurrence);
  return Number.isFinite(atMs) ? Math.max(atMs, 0) : 0;
}
