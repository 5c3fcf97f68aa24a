import { createGroupedWriter, WriterIsFull } from './grouped-writer.ts';
import type { InboxStore, Refusal } from './inbox-store.ts';
import type { Log } from './log.ts';

/** Refusals of one write, and what may wait for the next. A refusal is about 300 bytes. */
const MAX_GROUP = 100;
const MAX_WAITING = 200;
const WARN_EVERY_MS = 60_000;

export interface RefusalKeeper {
  /** Resolves when the refusal is kept, or at once when there are too many: then it is counted and not kept. */
  record(refusal: Refusal): Promise<void>;
  close(): Promise<void>;
}

export interface RefusalKeeperOptions {
  readonly log: Log;
  readonly startWithinMs: number;
  readonly answerWithinMs: number;
  /** For the pace of warnings. */
  readonly nowMs?: () => number;
}

/**
 * Keeps refusals with one write at a time, whatever comes: who holds one valid secret can send as many as he likes.
 */
export function createRefusalKeeper(
  store: Pick<InboxStore, 'recordRefusals'>,
  { log, nowMs = () => performance.now(), ...times }: RefusalKeeperOptions,
): RefusalKeeper {
  const writer = createGroupedWriter<Refusal, true>(
    async (refusals) => {
      await store.recordRefusals(refusals);
      return refusals.map(() => true as const);
    },
    {
      ...times,
      maxGroup: MAX_GROUP,
      maxGroupSize: MAX_GROUP,
      maxWaiting: MAX_WAITING,
      maxWaitingSize: MAX_WAITING,
      maxInFlight: 1,
      sizeOf: () => 1,
    },
  );
  let dropped = 0;
  let warnedMs = -Infinity;

  function drop(): void {
    dropped += 1;
    if (nowMs() - warnedMs < WARN_EVERY_MS) return;
    warnedMs = nowMs();
    log.warn({ dropped }, 'more deliveries are refused than can be kept: some refusals are not listed');
    dropped = 0;
  }

  return {
    async record(refusal) {
      try {
        await writer.write(refusal);
      } catch (error) {
        if (!(error instanceof WriterIsFull)) throw error;
        drop();
      }
    },
    close: () => writer.close(),
  };
}
