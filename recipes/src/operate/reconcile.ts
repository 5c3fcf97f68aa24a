import type { JobQueue } from '@aftermeet/queue';

import type { MeetingIndex } from '../meetings/meeting-index.ts';
import { findUndelivered, type MeetingFinder, type ReconcileOutcome } from './find-undelivered.ts';
import { nameReconciledEvent, writeReconciledEvent } from './reconciled-event.ts';

export interface ReconcileTools {
  readonly client: MeetingFinder;
  readonly meetings: Pick<MeetingIndex, 'find'>;
  readonly queue: Pick<JobQueue, 'addEvent'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

export interface ReconcileOptions {
  /** Meetings of the last so many milliseconds, by whole days (UTC): the service searches by day. */
  readonly sinceMs: number;
  /** Whose recipes run. */
  readonly endpoint: string;
  /** Says what is missing, and queues nothing. */
  readonly isDryRun?: boolean;
  readonly signal?: AbortSignal;
  /** Told after each page of the search. */
  readonly onProgress?: (outcome: ReconcileOutcome) => void;
}

/**
 * Queues an event for every finished meeting of which none came. The job's id is made of meeting and kind, so any
 * number of machines may do it at once; should the real delivery come later, the ledger sends nothing twice.
 * Throws `ServiceError`; what was queued by then stays.
 */
export async function reconcile(
  { client, meetings, queue, clock }: ReconcileTools,
  { sinceMs, endpoint, isDryRun = false, signal, onProgress }: ReconcileOptions,
): Promise<ReconcileOutcome> {
  const nowMs = clock();
  let sum: ReconcileOutcome = { searched: 0, delivered: 0, unfinished: 0, unclear: [], undelivered: [] };
  const search = { client, meetings, sinceMs, nowMs, ...(signal === undefined ? {} : { signal }) };
  for await (const found of findUndelivered(search)) {
    if (!isDryRun) {
      for (const meeting of found.undelivered) {
        await queue.addEvent(nameReconciledEvent(meeting), writeReconciledEvent(meeting, endpoint, nowMs));
      }
    }
    sum = addOutcomes(sum, found);
    onProgress?.(sum);
  }
  return sum;
}

function addOutcomes(sum: ReconcileOutcome, found: ReconcileOutcome): ReconcileOutcome {
  return {
    searched: sum.searched + found.searched,
    delivered: sum.delivered + found.delivered,
    unfinished: sum.unfinished + found.unfinished,
    unclear: [...sum.unclear, ...found.unclear],
    undelivered: [...sum.undelivered, ...found.undelivered],
  };
}
