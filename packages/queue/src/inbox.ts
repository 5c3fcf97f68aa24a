import type { Backend } from './backend.ts';
import type { Inbox } from './inbox-store.ts';
import type { Log } from './log.ts';
import { openPostgresInboxStore } from './postgres/postgres-inbox-store.ts';
import { openRedisInboxStore } from './redis/redis-inbox-store.ts';
import { toSafeId } from './safe-id.ts';
import { StoreUnavailable } from './store-unavailable.ts';
import { withDeadline } from './with-deadline.ts';

export interface InboxOptions {
  readonly log: Log;
  /** Milliseconds since 1970; fingerprints expire by it. */
  readonly clock?: () => number;
}

/** Below the 900 ms that callers are promised, above the 800 ms after which a driver gives up by itself. */
const ANSWER_WITHIN_MS = 850;

/** Opens the accepting side. Rejects when the store can't be reached now. */
export async function createInbox(backend: Backend, options: InboxOptions): Promise<Inbox> {
  const { log, clock = Date.now } = options;
  const store =
    backend.kind === 'redis'
      ? await openRedisInboxStore(backend, { log, clock })
      : await openPostgresInboxStore(backend, { log, clock });

  return {
    accept: (acceptance) =>
      confirm('accepting a delivery', () =>
        store.accept(
          {
            jobId: toSafeId(acceptance.jobId),
            job: acceptance.job,
            fingerprints: acceptance.fingerprints.map(({ key, keepSeconds }) => ({
              key: toSafeId(key),
              keepSeconds,
            })),
          },
          performance.now() + ANSWER_WITHIN_MS,
        ),
      ),
    recordRefusal: (refusal) => confirm('recording a refusal', () => store.recordRefusal(refusal)),
    listRefusals: (limit) => confirm('listing refusals', () => store.listRefusals(limit)),
    ping: () => confirm('ping', () => store.ping()),
    close: () => store.close(),
  };
}

async function confirm<Value>(what: string, ask: () => Promise<Value>): Promise<Value> {
  try {
    return await withDeadline(ask(), ANSWER_WITHIN_MS);
  } catch (error) {
    throw new StoreUnavailable(what, error);
  }
}
