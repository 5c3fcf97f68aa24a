export interface GroupedWriterOptions<Item> {
  /** Items and size of one write; a larger item is written alone. */
  readonly maxGroup: number;
  readonly maxGroupSize: number;
  /** Concurrent writes. */
  readonly maxInFlight: number;
  /** Waiting items and their size; above it items are rejected at once. */
  readonly maxWaiting: number;
  readonly maxWaitingSize: number;
  /**
   * Milliseconds after which a waiting item is rejected. Below `answerWithinMs` by more than a write takes; otherwise,
   * under overload, each write would be confirmed too late.
   */
  readonly startWithinMs: number;
  /** Milliseconds after which any item is rejected, plus up to {@link SWEEP_MS}. */
  readonly answerWithinMs: number;
  readonly sizeOf: (item: Item) => number;
}

/** Too many items wait; this one was not taken. */
export class WriterIsFull extends Error {
  override readonly name = 'WriterIsFull';
}

export interface GroupedWriter<Item, Result> {
  /** Rejects with {@link WriterIsFull} when too many items wait. */
  write(item: Item): Promise<Result>;
  /** Resolves when all items are written. */
  close(): Promise<void>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly size: number;
  /** On the clock of `performance.now()`. */
  readonly addedMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** How often deadlines are checked. One timer for all items: one each would cost more than the rest of the writer. */
const SWEEP_MS = 25;

/**
 * Groups writes without delaying any: items of one tick of the event loop are written together, and items that arrive
 * during `maxInFlight` writes are written together in the next one. The items of a group succeed or fail together, unless
 * the write returns an error in the place of a result.
 */
export function createGroupedWriter<Item, Result>(
  write: (group: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  options: GroupedWriterOptions<Item>,
): GroupedWriter<Item, Result> {
  type Group = readonly Waiting<Item, Result>[];
  const { maxGroup, maxGroupSize, maxInFlight, maxWaiting, maxWaitingSize, sizeOf } = options;
  const { startWithinMs, answerWithinMs } = options;
  /** Oldest first, so overdue items are in front. */
  let waiting: Waiting<Item, Result>[] = [];
  let waitingSize = 0;
  const inFlight = new Set<Group>();
  const closing: (() => void)[] = [];
  let isStartScheduled = false;
  let sweeping: NodeJS.Timeout | undefined;

  function takeFirst(count: number): Group {
    const taken = waiting.splice(0, count);
    for (const { size } of taken) waitingSize -= size;
    return taken;
  }

  function rejectOverdue(): void {
    const tooOldMs = performance.now() - startWithinMs;
    const inTime = waiting.findIndex(({ addedMs }) => addedMs > tooOldMs);
    for (const { reject } of takeFirst(inTime === -1 ? waiting.length : inTime)) {
      reject(new Error('waited too long for the writes before it'));
    }
  }

  function takeGroup(): Group {
    let count = 0;
    let groupSize = 0;
    for (const { size } of waiting) {
      if (count === maxGroup || (count > 0 && groupSize + size > maxGroupSize)) break;
      groupSize += size;
      count += 1;
    }
    return takeFirst(count);
  }

  async function writeTaken(group: Group): Promise<void> {
    inFlight.add(group);
    try {
      const results = await write(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('the group write gave no result for this item'));
        else if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    inFlight.delete(group);
    start();
  }

  function start(): void {
    isStartScheduled = false;
    rejectOverdue();
    while (waiting.length > 0 && inFlight.size < maxInFlight) void writeTaken(takeGroup());
    if (waiting.length === 0 && inFlight.size === 0) for (const resolve of closing.splice(0)) resolve();
  }

  function sweep(): void {
    rejectOverdue();
    const tooOldMs = performance.now() - answerWithinMs;
    for (const group of inFlight) {
      for (const { addedMs, reject } of group) {
        if (addedMs > tooOldMs) break;
        reject(new Error(`no answer within ${answerWithinMs} ms`));
      }
    }
    sweeping = undefined;
    if (waiting.length > 0 || inFlight.size > 0) sweepLater();
    else start();
  }

  function sweepLater(): void {
    // After a pause of the process, timers fire before the answers of the store are read; setImmediate reads them first.
    sweeping ??= setTimeout(() => setImmediate(sweep), SWEEP_MS);
  }

  return {
    write: (item) =>
      new Promise((resolve, reject) => {
        const size = sizeOf(item);
        // A single item of any size is accepted; otherwise it would be rejected each time.
        const isFull = waiting.length > 0 && waitingSize + size > maxWaitingSize;
        if (isFull || waiting.length >= maxWaiting) {
          reject(new WriterIsFull('too many items wait to be written'));
          return;
        }
        waiting.push({ item, size, addedMs: performance.now(), resolve, reject });
        waitingSize += size;
        sweepLater();
        if (isStartScheduled || inFlight.size >= maxInFlight) return;
        isStartScheduled = true;
        setImmediate(start);
      }),
    close: () =>
      new Promise((resolve) => {
        closing.push(resolve);
        start();
      }),
  };
}

/**
 * Writes a group in one step. When its data causes an error (`isDataError`), writes each item alone, so that only the item
 * that cannot be stored gets its error. Rejects when the group failed for another reason.
 */
export async function writeGroup<Item, Result>(
  group: readonly Item[],
  write: (group: readonly Item[]) => Promise<readonly Result[]>,
  isDataError: (error: unknown) => boolean,
): Promise<readonly (Result | Error)[]> {
  try {
    return await write(group);
  } catch (error) {
    if (group.length === 1 || !isDataError(error)) throw error;
  }
  const results: (Result | Error)[] = [];
  let outage: Error | undefined;
  for (const item of group) results.push(outage ?? (await writeAlone(item)));
  return results;

  async function writeAlone(item: Item): Promise<Result | Error> {
    try {
      const [result] = await write([item]);
      return result === undefined ? new Error('the store gave no result') : result;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      // The other items would wait as long for the same error.
      if (!isDataError(error)) outage = failure;
      return failure;
    }
  }
}
