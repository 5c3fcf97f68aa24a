import type { Backend } from './backend.ts';
import { createEndpointLines } from './endpoint-lines.ts';
import { findStoreCause, StoreUnavailable } from './errors.ts';
import { createGroupedWriter, writeGroup, WriterIsFull } from './grouped-writer.ts';
import {
  type Accepted,
  type Inbox,
  type InboxEntry,
  type InboxStore,
  type Refusal,
  sizeOfEntry,
  toInboxEntry,
} from './inbox-store.ts';
import type { Log } from './log.ts';
import { openPostgresInboxStore } from './postgres/postgres-inbox.ts';
import { openRedisInboxStore } from './redis/redis-inbox.ts';
import { withDeadline } from './with-deadline.ts';

export interface InboxOptions {
  readonly log: Log;
  /** Milliseconds since 1970; dedupe keys expire by it. */
  readonly clock?: () => number;
}

/** Between the 800 ms of the driver's own timeout and the 900 ms promised to callers. */
const ANSWER_WITHIN_MS = 850;

/** Leaves 350 ms for the write, more than one takes under full load. */
const START_WITHIN_MS = 500;

/** A second of deliveries at full speed may wait. A group larger than a mebibyte would block other clients of the store. */
const writerLimits = {
  maxGroup: 64,
  maxGroupSize: 1024 * 1024,
  maxWaiting: 20_000,
  maxWaitingSize: 64 * 1024 * 1024,
};

/** Refusals per write, and how many may wait for the next. A refusal is about 300 bytes. */
const MAX_REFUSAL_GROUP = 100;
const MAX_WAITING_REFUSALS = 200;
const WARN_INTERVAL_MS = 60_000;
/** How long a successful ping counts. */
const PING_VALID_MS = 1000;
/** How long a delivery that found the disk full counts: the small row of a ping may still find a place there. */
const DISK_FULL_MS = 5000;

/** Opens the accepting side. Rejects when the store can't be reached now. */
export async function createInbox(backend: Backend, options: InboxOptions): Promise<Inbox> {
  const { log, clock = Date.now } = options;
  const store =
    backend.kind === 'redis'
      ? await openRedisInboxStore(backend, { log, clock })
      : await openPostgresInboxStore(backend, { log, clock });
  const times = { startWithinMs: START_WITHIN_MS, answerWithinMs: ANSWER_WITHIN_MS };
  const lines = createEndpointLines();
  const acceptPlaced = async (group: readonly InboxEntry[]): Promise<readonly Accepted[]> => {
    const endpoints = group.map(({ endpoint }) => endpoint);
    const places = lines.request(endpoints);
    const { accepted, lines: state } = await store.acceptGroup(group, places);
    const added = endpoints.map((endpoint, index) =>
      accepted[index]?.kind === 'accepted' ? endpoint : undefined,
    );
    lines.follow(added, places, state);
    return accepted;
  };
  const acceptGroup = (group: readonly InboxEntry[]) =>
    writeGroup(group, acceptPlaced, (error) => store.isDataError(error));
  const writer = createGroupedWriter<InboxEntry, Accepted>(acceptGroup, {
    ...writerLimits,
    ...times,
    maxInFlight: store.maxInFlight,
    sizeOf: sizeOfEntry,
  });
  const unfollow = backend.clock.follow(() => withDeadline(store.readClockMs(), ANSWER_WITHIN_MS));
  const refusals = createRefusalRecorder(store, { ...times, log });
  const shared = sharePing(() => withDeadline(store.ping(), ANSWER_WITHIN_MS));

  const failAccept = (error: unknown): never => {
    shared.noteFailure(error);
    throw new StoreUnavailable('accepting a delivery', error);
  };

  return {
    // Not `async`: a suspended function would keep the delivery in memory beside its entry.
    accept: (acceptance) => writer.write(toInboxEntry(acceptance)).catch(failAccept),
    recordRefusal: (refusal) => confirm('recording a refusal', refusals.record(refusal)),
    listRefusals: (limit) =>
      confirm('listing refusals', withDeadline(store.listRefusals(limit), ANSWER_WITHIN_MS)),
    ping: () => confirm('ping', shared.ping()),
    async close() {
      unfollow();
      await Promise.all([writer.close(), refusals.close()]);
      await store.close();
    },
  };
}

async function confirm<Value>(what: string, answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    throw new StoreUnavailable(what, error);
  }
}

interface RefusalRecorder {
  /** Resolves when the refusal is stored, or at once when it was dropped and counted because too many wait. */
  record(refusal: Refusal): Promise<void>;
  close(): Promise<void>;
}

interface RefusalRecorderOptions {
  readonly log: Log;
  readonly startWithinMs: number;
  readonly answerWithinMs: number;
  /** Times the warnings. */
  readonly nowMs?: () => number;
}

/** Writes refusals one group at a time. A sender with one valid secret can cause any number of them. */
export function createRefusalRecorder(
  store: Pick<InboxStore, 'recordRefusals'>,
  { log, nowMs = () => performance.now(), ...times }: RefusalRecorderOptions,
): RefusalRecorder {
  const writer = createGroupedWriter<Refusal, true>(
    async (refusals) => {
      await store.recordRefusals(refusals);
      return refusals.map(() => true as const);
    },
    {
      ...times,
      maxGroup: MAX_REFUSAL_GROUP,
      maxGroupSize: MAX_REFUSAL_GROUP,
      maxWaiting: MAX_WAITING_REFUSALS,
      maxWaitingSize: MAX_WAITING_REFUSALS,
      maxInFlight: 1,
      sizeOf: () => 1,
    },
  );
  let dropped = 0;
  let warnedMs = -Infinity;

  function drop(): void {
    dropped += 1;
    if (nowMs() - warnedMs < WARN_INTERVAL_MS) return;
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

interface SharedPing {
  ping(): Promise<void>;
  /** A write has failed: the next ping asks the store again. */
  noteFailure(error: unknown): void;
}

/**
 * Shares one ping between concurrent callers; a success counts for a second, a failure only for the callers that waited.
 * `/readyz` is open to all, so pings must not load the store.
 */
export function sharePing(
  ping: () => Promise<void>,
  nowMs: () => number = () => performance.now(),
): SharedPing {
  let answeredMs = -Infinity;
  let pending: Promise<void> | undefined;
  let diskFull: { readonly error: unknown; readonly untilMs: number } | undefined;

  async function ask(): Promise<void> {
    const startedMs = nowMs();
    try {
      await ping();
      answeredMs = startedMs;
    } finally {
      pending = undefined;
    }
  }

  return {
    ping: () => {
      if (diskFull !== undefined && nowMs() < diskFull.untilMs) return Promise.reject(diskFull.error);
      if (pending === undefined && nowMs() - answeredMs < PING_VALID_MS) return Promise.resolve();
      pending ??= ask();
      return pending;
    },
    noteFailure: (error) => {
      answeredMs = -Infinity;
      if (findStoreCause(error) === 'disk_full') diskFull = { error, untilMs: nowMs() + DISK_FULL_MS };
    },
  };
}
