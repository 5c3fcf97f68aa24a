import { readWebhookEvent } from '@aftermeet/contract';
import type { JobAdmin, StoredJob } from '@aftermeet/queue';

import { nameReconciledEvent } from './reconcile.ts';

/** Shorter prefixes could match several ids by chance. */
export const minPrefixLength = 8;

export type Found<Value> =
  | { readonly kind: 'found'; readonly value: Value }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly ids: readonly string[] };

const maxNamed = 5;

/**
 * Finds stored deliveries by the id of the job, else by its first characters (at least eight), else by the delivery header
 * that came with it. Headers have no index: one pass over the store for all that are left.
 */
export async function findDeliveries(
  names: readonly string[],
  jobAdmin: Pick<JobAdmin, 'findEvent' | 'findEventsByPrefix' | 'listEvents'>,
): Promise<ReadonlyMap<string, Found<StoredJob<'event'>>>> {
  const found = new Map<string, readonly StoredJob<'event'>[]>();
  for (const name of names) {
    const job = await jobAdmin.findEvent(name);
    const isPrefix = job === undefined && name.length >= minPrefixLength;
    const begun = isPrefix ? await jobAdmin.findEventsByPrefix(name, maxNamed) : [];
    found.set(name, job === undefined ? begun : [job]);
  }
  const open = names.filter((name) => found.get(name)?.length === 0);
  if (open.length > 0) {
    for await (const job of jobAdmin.listEvents()) {
      for (const name of open) {
        if (job.data?.deliveryId === name) found.set(name, [...(found.get(name) ?? []), job]);
      }
    }
  }
  return new Map(names.map((name) => [name, choose(found.get(name) ?? [])]));
}

function choose(jobs: readonly StoredJob<'event'>[]): Found<StoredJob<'event'>> {
  const [value] = jobs;
  if (value === undefined) return { kind: 'none' };
  if (jobs.length === 1) return { kind: 'found', value };
  return { kind: 'several', ids: jobs.slice(0, maxNamed).map(({ id }) => id) };
}

/** A stored delivery as operators see it; its body is reduced to the facts that name the meeting. Times are milliseconds since 1970. */
export interface StoredDelivery {
  readonly id: string;
  readonly state: StoredJob<'event'>['state'];
  readonly receivedAtMs: number;
  /** Why its job has failed, or why it cannot be read. */
  readonly cause?: string;
  /** The unsigned delivery header. */
  readonly deliveryId?: string;
  readonly isUnsigned?: boolean;
  /** Queued by `reconcile`, not received. */
  readonly isReconciled?: boolean;
  /** Of `aftermeet send`, about a meeting that does not exist: no recipe runs on it. */
  readonly isTest?: boolean;
  readonly endpoint?: string;
  readonly kind?: string;
  readonly meetingId?: string;
  /** The event's own timestamp. */
  readonly occurrence?: string;
  readonly title?: string;
}

/** What may be shown of a stored delivery. One that cannot be read says so in `cause`. Pure. */
export function readDelivery(job: StoredJob<'event'>): StoredDelivery {
  const { id, state, data, addedAtMs } = job;
  const facts = {
    id,
    state,
    receivedAtMs: addedAtMs,
    ...(job.cause === undefined ? {} : { cause: job.cause }),
  };
  if (data === undefined) return { ...facts, cause: job.cause ?? 'the data of its job cannot be read' };
  const received = Date.parse(data.receivedAt);
  const known = {
    ...facts,
    ...(Number.isNaN(received) ? {} : { receivedAtMs: received }),
    endpoint: data.endpoint,
    ...(data.deliveryId === undefined ? {} : { deliveryId: data.deliveryId }),
    ...(data.isUnsigned === undefined ? {} : { isUnsigned: data.isUnsigned }),
  };
  const reading = readWebhookEvent(new TextEncoder().encode(data.body));
  if (!reading.ok) return { ...known, cause: job.cause ?? `its body is not an event: ${reading.detail}` };
  const { event: kind, meeting_id: meetingId, timestamp, data: claims } = reading.event;
  const test = claims.aftermeet_test === true ? { isTest: true } : {};
  // Otherwise only kind and meeting of an unsigned delivery are used.
  if (data.isUnsigned === true) return { ...known, ...test, kind, meetingId };
  return {
    ...known,
    ...test,
    ...(id === nameReconciledEvent({ meetingId, kind }) ? { isReconciled: true } : {}),
    kind,
    meetingId,
    occurrence: timestamp,
    ...(claims.title === undefined ? {} : { title: claims.title }),
  };
}
