import { type Client, type FoundMeeting, ServiceError } from '@aftermeet/client';

import type { MeetingIndex } from '../meetings/meeting-index.ts';

/** What the search needs of the client. */
export interface MeetingFinder {
  readonly meetings: Pick<Client['meetings'], 'search'>;
  readonly recordings: Pick<Client['recordings'], 'status'>;
}

/** A finished meeting of which nothing was heard. */
export interface UndeliveredMeeting {
  readonly meetingId: string;
  readonly kind: 'meeting.completed' | 'meeting.failed';
  readonly title: string;
  /** ISO 8601 in UTC, where the service says it. */
  readonly startedAt?: string;
}

export interface ReconcileOutcome {
  /** Meetings that the search has found. */
  readonly searched: number;
  /** Of these, those whose delivery came. */
  readonly delivered: number;
  /** Those that are not finished. */
  readonly unfinished: number;
  /** Those whose status could not be read: the service does not know them, or says a word that nobody knows. */
  readonly unclear: readonly string[];
  /** Those that were queued; in a dry run, those that would be. */
  readonly undelivered: readonly UndeliveredMeeting[];
}

interface UndeliveredSearch {
  readonly client: MeetingFinder;
  readonly meetings: Pick<MeetingIndex, 'find'>;
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Finds finished meetings of which no event came: pages through the service's search, and asks for the status of
 * those that the index does not know. Yields after each page what that page held.
 *
 * It cannot see the second meeting of a series whose first one was delivered, because a series shares one meeting id;
 * and it cannot tell a delivery that was lost from one that was never ordered (a recording without `webhook_url`).
 */
export async function* findUndelivered({
  client,
  meetings,
  sinceMs,
  nowMs,
  signal,
}: UndeliveredSearch): AsyncGenerator<ReconcileOutcome, void, undefined> {
  const dateFrom = new Date(nowMs - sinceMs).toISOString().slice(0, 10);
  const call = signal === undefined ? {} : { signal };
  const asked = new Set<string>();
  for await (const page of client.meetings.search({ dateFrom }, call)) {
    // Pages shift while meetings are added.
    const found = page.meetings.filter(({ id }) => !asked.has(id));
    for (const { id } of found) asked.add(id);
    const known = new Map(
      (await meetings.find(found.map(({ id }) => id))).map((seen) => [seen.meetingId, seen]),
    );
    const open = found.filter(({ id }) => known.get(id)?.completedAt === undefined);
    const standings = await mapFew(open, async (meeting): Promise<Standing> => {
      if (meeting.startedAt !== undefined && Date.parse(meeting.startedAt) > nowMs) return 'unfinished';
      const standing = await askStanding(client, meeting.id, call);
      // Its failure was told; what could be missing is that it has completed since.
      return standing === 'meeting.failed' && known.has(meeting.id) ? 'delivered' : standing;
    });
    const count = (wanted: Standing): number => standings.filter((standing) => standing === wanted).length;
    yield {
      searched: found.length,
      delivered: found.length - open.length + count('delivered'),
      unfinished: count('unfinished'),
      unclear: open.filter((_meeting, index) => standings[index] === 'unclear').map(({ id }) => id),
      undelivered: open.flatMap((meeting, index) => describeUndelivered(meeting, standings[index])),
    };
  }
}

type Standing = UndeliveredMeeting['kind'] | 'delivered' | 'unfinished' | 'unclear';

async function askStanding(
  client: MeetingFinder,
  meetingId: string,
  call: { readonly signal?: AbortSignal },
): Promise<Standing> {
  let phase;
  try {
    ({ phase } = await client.recordings.status(meetingId, call));
  } catch (error) {
    // Deleted since the search, say. Whatever else goes wrong concerns all of them.
    if (error instanceof ServiceError && error.code === 'not_found') return 'unclear';
    throw error;
  }
  if (phase === 'ready') return 'meeting.completed';
  if (phase === 'failed') return 'meeting.failed';
  return phase === 'unknown' ? 'unclear' : 'unfinished';
}

function describeUndelivered(
  { id, title, startedAt }: FoundMeeting,
  standing: Standing | undefined,
): UndeliveredMeeting[] {
  if (standing !== 'meeting.completed' && standing !== 'meeting.failed') return [];
  return [{ meetingId: id, kind: standing, title, ...(startedAt === undefined ? {} : { startedAt }) }];
}

/** The specification knows the status of one meeting at a time; a few questions at once keep a long list short. */
const mostQuestions = 4;

async function mapFew<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += mostQuestions) {
    results.push(...(await Promise.all(items.slice(start, start + mostQuestions).map(ask))));
  }
  return results;
}
