interface Waiting<Item, Result> {
  readonly item: Item;
  readonly deadlineMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupedWriter<Item, Result> {
  /** Writes one item; `deadlineMs` is on the clock of `performance.now()`. */
  write(item: Item, deadlineMs: number): Promise<Result>;
  /** Resolves when nothing is being written any more. */
  close(): Promise<void>;
}

/**
 * Groups writes without a timer: what arrives while `maxInFlight` writes are under way waits and goes
 * together in the next one. A group shares one fate. An item that waited past its deadline is dropped.
 */
export function createGroupedWriter<Item, Result>(
  writeGroup: (group: readonly Item[]) => Promise<readonly Result[]>,
  { maxGroup, maxInFlight }: { readonly maxGroup: number; readonly maxInFlight: number },
): GroupedWriter<Item, Result> {
  const inFlight = new Set<Promise<void>>();
  let waiting: Waiting<Item, Result>[] = [];

  async function writeOne(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await writeGroup(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('the group write gave no result for this item'));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function start(): void {
    while (inFlight.size < maxInFlight) {
      const nowMs = performance.now();
      for (const { deadlineMs, reject } of waiting) {
        if (deadlineMs <= nowMs) reject(new Error('waited too long for the writes before it'));
      }
      waiting = waiting.filter(({ deadlineMs }) => deadlineMs > nowMs);
      if (waiting.length === 0) return;
      const write = writeOne(waiting.splice(0, maxGroup)).finally(() => {
        inFlight.delete(write);
        start();
      });
      inFlight.add(write);
    }
  }

  return {
    write: (item, deadlineMs) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, deadlineMs, resolve, reject });
        start();
      }),
    async close() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}
