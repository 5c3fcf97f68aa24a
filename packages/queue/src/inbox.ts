import type { Backend } from './backend.ts';
import { createGroupedWriter } from './grouped-writer.ts';
import { type InboxEntry, sizeOfEntry, toInboxEntry } from './inbox-entry.ts';
import type { Accepted, Inbox } from './inbox-store.ts';
import { createRefusalKeeper } from './keep-refusals.ts';
import type { Log } from './log.ts';
import { openPostgresInboxStore } from './postgres/postgres-inbox-store.ts';
import { openRedisInboxStore } from './redis/redis-inbox-store.ts';
import { sharePing } from './share-ping.ts';
import { StoreUnavailable } from './store-unavailable.ts';
import { withDeadline } from './with-deadline.ts';
import { writeGroup } from './write-group.ts';

export interface InboxOptions {
  readonly log: Log;
  /** Milliseconds since 1970; marks expire by it. */
  readonly clock?: () => number;
}

/** Below the 900 ms that callers are promised, above the 800 ms after which a driver gives up by itself. */
const ANSWER_WITHIN_MS = 850;

/** What has waited longer is refused, which leaves 350 ms for its write: more than a write takes under full load. */
const START_WITHIN_MS = 500;

/** A second of deliveries at full speed may wait; a group larger than a mebibyte keeps the store from everybody else. */
const writerLimits = {
  maxGroup: 64,
  maxGroupSize: 1024 * 1024,
  maxWaiting: 20_000,
  maxWaitingSize: 64 * 1024 * 1024,
};

/** Opens the accepting side. Rejects when the store can't be reached now. */
export async function createInbox(backend: Backend, options: InboxOptions): Promise<Inbox> {
  const { log, clock = Date.now } = options;
  const store =
    backend.kind === 'redis'
      ? await openRedisInboxStore(backend, { clock })
      : await openPostgresInboxStore(backend, { log, clock });
  const times = { startWithinMs: START_WITHIN_MS, answerWithinMs: ANSWER_WITHIN_MS };
  const writeInbox = (group: readonly InboxEntry[]) =>
    writeGroup(
      group,
      (entries) => store.acceptGroup(entries),
      (error) => store.isDataError(error),
    );
  const writer = createGroupedWriter<InboxEntry, Accepted>(writeInbox, {
    ...writerLimits,
    ...times,
    maxInFlight: store.maxInFlight,
    sizeOf: sizeOfEntry,
  });
  const refusals = createRefusalKeeper(store, { ...times, log });
  const shared = sharePing(() => withDeadline(store.ping(), ANSWER_WITHIN_MS));

  const failAccept = (error: unknown): never => {
    shared.forget();
    throw new StoreUnavailable('accepting a delivery', error);
  };

  return {
    // Not `async`: a suspended function would keep the delivery beside its entry.
    accept: (acceptance) => writer.write(toInboxEntry(acceptance)).catch(failAccept),
    recordRefusal: (refusal) => confirm('recording a refusal', refusals.record(refusal)),
    listRefusals: (limit) =>
      confirm('listing refusals', withDeadline(store.listRefusals(limit), ANSWER_WITHIN_MS)),
    ping: () => confirm('ping', shared.ping()),
    async close() {
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
