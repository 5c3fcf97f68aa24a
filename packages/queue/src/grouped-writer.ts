export interface GroupedWriterOptions<Item> {
  /** Items and size of one write; a larger item goes alone. */
  readonly maxGroup: number;
  readonly maxGroupSize: number;
  /** Writes under way at the same time. */
  readonly maxInFlight: number;
  /** What may wait for its write, in items and in size: the next one is rejected at once. */
  readonly maxWaiting: number;
  readonly maxWaitingSize: number;
  /**
   * Milliseconds after which an item that still waits is rejected. Below `answerWithinMs` by more than a write takes:
   * else, when more comes than the store can take, whatever is written is too late when it is confirmed.
   */
  readonly startWithinMs: number;
  /** Milliseconds after which an item is rejected wherever it is; up to {@link SWEEP_MS} more may pass. */
  readonly answerWithinMs: number;
  readonly sizeOf: (item: Item) => number;
}

/** There is no room left: this item was not taken. */
export class WriterIsFull extends Error {
  override readonly name = 'WriterIsFull';
}

export interface GroupedWriter<Item, Result> {
  /** Rejects with {@link WriterIsFull} when too much waits already. */
  write(item: Item): Promise<Result>;
  /** Resolves when nothing waits or is being written any more. */
  close(): Promise<void>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly size: number;
  /** On the clock of `performance.now()`. */
  readonly cameMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** How often deadlines are looked at: one timer for all items, since one for each costs more than the rest of the writer. */
const SWEEP_MS = 25;

/**
 * Groups writes without making anybody wait for company: what arrives in one turn of the event loop goes together, and
 * what arrives while `maxInFlight` writes are under way goes together in the next one. A group shares one fate, unless
 * its write gives an error in the place of a result.
 */
export function createGroupedWriter<Item, Result>(
  writeGroup: (group: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  options: GroupedWriterOptions<Item>,
): GroupedWriter<Item, Result> {
  type Group = readonly Waiting<Item, Result>[];
  const { maxGroup, maxGroupSize, maxInFlight, maxWaiting, maxWaitingSize, sizeOf } = options;
  const { startWithinMs, answerWithinMs } = options;
  /** Oldest first, so that whoever is too late is at the front. */
  let waiting: Waiting<Item, Result>[] = [];
  let waitingSize = 0;
  const inFlight = new Set<Group>();
  const closing: (() => void)[] = [];
  let isTurnAwaited = false;
  let sweeping: NodeJS.Timeout | undefined;

  function takeFirst(count: number): Group {
    const taken = waiting.splice(0, count);
    for (const { size } of taken) waitingSize -= size;
    return taken;
  }

  function rejectOverdue(): void {
    const tooOldMs = performance.now() - startWithinMs;
    const inTime = waiting.findIndex(({ cameMs }) => cameMs > tooOldMs);
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

  async function fly(group: Group): Promise<void> {
    inFlight.add(group);
    try {
      const results = await writeGroup(group.map(({ item }) => item));
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
    isTurnAwaited = false;
    rejectOverdue();
    while (waiting.length > 0 && inFlight.size < maxInFlight) void fly(takeGroup());
    if (waiting.length === 0 && inFlight.size === 0) for (const resolve of closing.splice(0)) resolve();
  }

  function sweep(): void {
    rejectOverdue();
    const tooOldMs = performance.now() - answerWithinMs;
    for (const group of inFlight) {
      for (const { cameMs, reject } of group) {
        if (cameMs > tooOldMs) break;
        reject(new Error(`no answer within ${answerWithinMs} ms`));
      }
    }
    sweeping = undefined;
    if (waiting.length > 0 || inFlight.size > 0) sweepLater();
    else start();
  }

  function sweepLater(): void {
    // A process that stood still fires its timers before it reads what the store has answered meanwhile.
    sweeping ??= setTimeout(() => setImmediate(sweep), SWEEP_MS);
  }

  return {
    write: (item) =>
      new Promise((resolve, reject) => {
        const size = sizeOf(item);
        // Alone, an item of any size gets its turn: refused for its size, it would be refused for ever.
        const isFull = waiting.length > 0 && waitingSize + size > maxWaitingSize;
        if (isFull || waiting.length >= maxWaiting) {
          reject(new WriterIsFull('too much waits to be written'));
          return;
        }
        waiting.push({ item, size, cameMs: performance.now(), resolve, reject });
        waitingSize += size;
        sweepLater();
        if (isTurnAwaited || inFlight.size >= maxInFlight) return;
        isTurnAwaited = true;
        setImmediate(start);
      }),
    close: () =>
      new Promise((resolve) => {
        closing.push(resolve);
        start();
      }),
  };
}
