import { createHash } from 'node:crypto';

import { type Client, type FoundMeeting, ServiceError } from '@aftermeet/client';
import type { EventJob, JobQueue } from '@aftermeet/queue';

import { findEndpoints, type MeetingIndex } from '../engine/meetings/meeting-index.ts';

export interface ReconcileTools {
  readonly client: MeetingFinder;
  readonly meetings: Pick<MeetingIndex, 'find' | 'findOrders'>;
  readonly queue: Pick<JobQueue, 'addEvent'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

interface ReconcileOptions {
  /** Meetings of the last so many milliseconds, by whole days (UTC): the service searches by day. */
  readonly sinceMs: number;
  /** Endpoint of a meeting whose own one is not known. */
  readonly endpoint: string;
  /** The endpoints of the settings; empty: any endpoint counts. */
  readonly endpoints: readonly string[];
  /** Lists the missing events and queues none. */
  readonly isDryRun?: boolean;
  readonly signal?: AbortSignal;
  /** Called after each page of the search. */
  readonly onProgress?: (outcome: ReconcileOutcome) => void;
}

/**
 * Queues an event for every finished meeting without a delivery, at the endpoint that it was recorded for or that an
 * earlier event of it came to; where neither is known, at `endpoint`. The job's id is derived from meeting and kind, so several
 * machines can run this at once; if the real delivery comes later, the ledger prevents a second message.
 * Throws `ServiceError`; events that are already queued stay.
 */
export async function reconcile(
  { client, meetings, queue, clock }: ReconcileTools,
  { sinceMs, endpoint, endpoints, isDryRun = false, signal, onProgress }: ReconcileOptions,
): Promise<ReconcileOutcome> {
  const nowMs = clock();
  let sum: ReconcileOutcome = {
    searched: 0,
    delivered: 0,
    unfinished: 0,
    unclear: [],
    undelivered: [],
    misplaced: [],
  };
  const search = { client, meetings, sinceMs, nowMs, endpoint, endpoints, signal };
  for await (const found of findUndelivered(search)) {
    if (!isDryRun) {
      for (const meeting of found.undelivered) {
        await queue.addEvent(nameReconciledEvent(meeting), writeReconciledEvent(meeting, nowMs));
      }
    }
    sum = addOutcomes(sum, found);
    onProgress?.(sum);
  }
  return sum;
}

/** The day (UTC) from which the service is searched. */
export function findFirstDay(sinceMs: number, nowMs: number): string {
  return new Date(nowMs - sinceMs).toISOString().slice(0, 10);
}

function addOutcomes(sum: ReconcileOutcome, found: ReconcileOutcome): ReconcileOutcome {
  return {
    searched: sum.searched + found.searched,
    delivered: sum.delivered + found.delivered,
    unfinished: sum.unfinished + found.unfinished,
    unclear: [...sum.unclear, ...found.unclear],
    undelivered: [...sum.undelivered, ...found.undelivered],
    misplaced: [...sum.misplaced, ...found.misplaced],
  };
}

/** What the search needs of the client. */
export interface MeetingFinder {
  readonly meetings: Pick<Client['meetings'], 'search'>;
  readonly recordings: Pick<Client['recordings'], 'status'>;
}

/** A finished meeting without a delivery. */
export interface UndeliveredMeeting {
  readonly meetingId: string;
  readonly kind: 'meeting.completed' | 'meeting.failed';
  readonly title: string;
  /** ISO 8601 in UTC; absent if the service does not give it. */
  readonly startedAt?: string;
  /** Whose recipes run. */
  readonly endpoint: string;
  /** It was recorded for this endpoint, or an earlier event of it came there; otherwise the endpoint stands in. */
  readonly isOwnEndpoint: boolean;
}

export interface ReconcileOutcome {
  /** Meetings found by the search. */
  readonly searched: number;
  /** Those with a delivery. */
  readonly delivered: number;
  /** Those that are not finished. */
  readonly unfinished: number;
  /** Those whose status is not found or not known to this version. */
  readonly unclear: readonly string[];
  /** Those that were queued; in a dry run, those that would be. */
  readonly undelivered: readonly UndeliveredMeeting[];
  /** Those whose own endpoint is not configured any more: not queued, because other readers would get them. */
  readonly misplaced: readonly UndeliveredMeeting[];
}

interface UndeliveredSearch extends Pick<ReconcileTools, 'client' | 'meetings'> {
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly endpoint: string;
  readonly endpoints: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Finds finished meetings without an event: pages through the service's search, and asks for the status of
 * those that the index does not know. Yields after each page what that page held.
 *
 * It cannot see the second meeting of a series whose first one was delivered, because a series shares one meeting id;
 * and it cannot tell a delivery that was lost from one that was never ordered (a recording without `webhook_url`).
 */
async function* findUndelivered({
  client,
  meetings,
  sinceMs,
  nowMs,
  endpoint,
  endpoints,
  signal,
}: UndeliveredSearch): AsyncGenerator<ReconcileOutcome, void, undefined> {
  const dateFrom = findFirstDay(sinceMs, nowMs);
  const call = signal === undefined ? {} : { signal };
  const asked = new Set<string>();
  for await (const page of client.meetings.search({ dateFrom }, call)) {
    // Pages shift while meetings are added.
    const found = page.items.filter(({ id }) => !asked.has(id));
    for (const { id } of found) asked.add(id);
    const known = new Map(
      (await meetings.find(found.map(({ id }) => id))).map((seen) => [seen.meetingId, seen]),
    );
    const open = found.filter(({ id }) => known.get(id)?.completedAt === undefined);
    const statuses = await mapInBatches(open, async (meeting): Promise<DeliveryStatus> => {
      if (meeting.startedAt !== undefined && Date.parse(meeting.startedAt) > nowMs) return 'unfinished';
      const status = await getStatus(client, meeting.id, call);
      // The index has its failure, so only a later completion could be missing.
      return status === 'meeting.failed' && known.has(meeting.id) ? 'delivered' : status;
    });
    const missing = open.flatMap((meeting, index) => describeUndelivered(meeting, statuses[index]));
    const own = await findEndpoints(
      missing.map(({ meetingId }) => meetingId),
      meetings,
    );
    const placed = missing.map((meeting): UndeliveredMeeting => {
      const ownEndpoint = own.get(meeting.meetingId);
      return { ...meeting, endpoint: ownEndpoint ?? endpoint, isOwnEndpoint: ownEndpoint !== undefined };
    });
    const isConfigured = (name: string): boolean => endpoints.length === 0 || endpoints.includes(name);
    const count = (wanted: DeliveryStatus): number => statuses.filter((status) => status === wanted).length;
    yield {
      searched: found.length,
      delivered: found.length - open.length + count('delivered'),
      unfinished: count('unfinished'),
      unclear: open.filter((_meeting, index) => statuses[index] === 'unclear').map(({ id }) => id),
      undelivered: placed.filter((meeting) => isConfigured(meeting.endpoint)),
      misplaced: placed.filter((meeting) => !isConfigured(meeting.endpoint)),
    };
  }
}

type DeliveryStatus = UndeliveredMeeting['kind'] | 'delivered' | 'unfinished' | 'unclear';

async function getStatus(
  client: MeetingFinder,
  meetingId: string,
  call: { readonly signal?: AbortSignal },
): Promise<DeliveryStatus> {
  let phase;
  try {
    ({ phase } = await client.recordings.status(meetingId, call));
  } catch (error) {
    // Probably deleted since the search. Any other error concerns all meetings.
    if (error instanceof ServiceError && error.code === 'not_found') return 'unclear';
    throw error;
  }
  if (phase === 'ready') return 'meeting.completed';
  if (phase === 'failed') return 'meeting.failed';
  return phase === 'unknown' ? 'unclear' : 'unfinished';
}

function describeUndelivered(
  { id, title, startedAt }: FoundMeeting,
  status: DeliveryStatus | undefined,
): Omit<UndeliveredMeeting, 'endpoint' | 'isOwnEndpoint'>[] {
  if (status !== 'meeting.completed' && status !== 'meeting.failed') return [];
  return [{ meetingId: id, kind: status, title, ...(startedAt === undefined ? {} : { startedAt }) }];
}

/** The service returns the status of one meeting per call; a few concurrent calls shorten a long list. */
const maxConcurrentCalls = 4;

async function mapInBatches<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += maxConcurrentCalls) {
    results.push(...(await Promise.all(items.slice(start, start + maxConcurrentCalls).map(ask))));
  }
  return results;
}

/** The job id of a reconciled event: the same on every machine, and different from that of any delivery. */
export function nameReconciledEvent({
  meetingId,
  kind,
}: {
  readonly meetingId: string;
  readonly kind: string;
}): string {
  return createHash('sha256')
    .update(JSON.stringify(['reconcile', meetingId, kind]), 'utf8')
    .digest('hex');
}

/** The event as the service would have sent it. Its timestamp is the time of the search. */
function writeReconciledEvent(
  { meetingId, kind, title, endpoint }: UndeliveredMeeting,
  nowMs: number,
): EventJob {
  const timestamp = new Date(nowMs).toISOString();
  return {
    endpoint,
    receivedAt: timestamp,
    body: JSON.stringify({ event: kind, meeting_id: meetingId, timestamp, data: { title } }),
  };
}
