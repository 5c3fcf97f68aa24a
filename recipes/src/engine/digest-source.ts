import { type ReportReader, ServiceError } from '@aftermeet/client';
import { withSpan } from '@aftermeet/queue';

import { buildDigest, type Digest, measureDigest } from '../report/digest.ts';
import { listUnknown, type PeopleDirectory } from '../report/people-directory.ts';
import { takesMeeting } from './conditions/match-recipes.ts';
import { markDone } from './done-tasks.ts';
import type { MeetingIndex, SeenMeeting } from './meetings/meeting-index.ts';
import type { Matchable, MeetingEvent, Period, PeriodMeeting } from './recipe.ts';

type DigestAnswer =
  | { readonly ready: true; readonly digest: Digest }
  | { readonly ready: false; readonly status: string };

export interface DigestSource {
  /** `withTranscript`: the digest holds the transcript. Rejects with the client's `ServiceError`. */
  read(
    event: Pick<MeetingEvent, 'meetingId' | 'kind' | 'occurrence'>,
    options?: { readonly withTranscript?: boolean },
  ): Promise<DigestAnswer>;
}

/** Long enough for all effects of one event, too short for an edited report to be missed. */
const KEPT_MS = 30_000;

/** Characters of all digests of a cache; the newest is kept whatever its size. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Digests of reports, each fetched once for all effects of its event. Digests with a transcript are many times as large
 * and have a cache of their own, so that they do not push out the others. The report is always fetched by meeting id: the
 * address in an event may lead anywhere, and would get the API key. The signal ends the fetches that are under way.
 */
export function createDigestSource(
  client: ReportReader,
  clock: () => number,
  onFetched: (meetingId: string, elapsedMs: number) => void,
  {
    signal,
    keepsTranscripts = false,
    people,
    onUnknown,
    readDone = noneDone,
  }: {
    readonly signal?: AbortSignal;
    readonly people?: PeopleDirectory | undefined;
    /** The keys of the tasks of a meeting that people have done. */
    readonly readDone?: (meetingId: string) => Promise<ReadonlySet<string>>;
    /** Hears of people in a report who cannot be placed. */
    readonly onUnknown?: (meeting: { readonly meetingId: string; readonly names: readonly string[] }) => void;
    /** Some recipe reads transcripts. */ readonly keepsTranscripts?: boolean;
  } = {},
): DigestSource {
  const plain = createDigestCache(clock);
  const withTranscripts = createDigestCache(clock);

  const fetchReport = async (meetingId: string) => {
    const startedMs = clock();
    const answer = await withSpan('fetch', { 'aftermeet.meeting': meetingId }, () =>
      client.reports.get(meetingId, signal === undefined ? {} : { signal }),
    );
    if (answer.ready) onFetched(meetingId, clock() - startedMs);
    if (answer.ready && people !== undefined && onUnknown !== undefined) {
      const names = listUnknown(answer.report, people);
      if (names.length > 0) onUnknown({ meetingId, names });
    }
    return answer;
  };

  return {
    async read({ meetingId, kind, occurrence }, { withTranscript = false } = {}) {
      const key = JSON.stringify([meetingId, kind, occurrence]);
      const cache = withTranscript ? withTranscripts : plain;
      const known = cache.get(key);
      if (known !== undefined) return await known;
      const fetched = fetchReport(meetingId);
      // Without the store a task is shown as the report has it.
      const done = readDone(meetingId).catch(noneDone);
      const toDigest = async (isFull: boolean): Promise<DigestAnswer> => {
        const answer = await fetched;
        if (!answer.ready) return { ready: false, status: answer.status };
        const digest = buildDigest(answer.report, { withTranscript: isFull, people });
        return { ready: true, digest: markDone(digest, await done) };
      };
      // One fetch serves both.
      if (plain.get(key) === undefined) plain.add(key, toDigest(false));
      if (keepsTranscripts || withTranscript) withTranscripts.add(key, toDigest(true));
      return await (cache.get(key) ?? toDigest(withTranscript));
    },
  };
}

async function noneDone(): Promise<ReadonlySet<string>> {
  return new Set();
}

interface DigestCache {
  get(key: string): Promise<DigestAnswer> | undefined;
  add(key: string, answer: Promise<DigestAnswer>): void;
}

interface Cached {
  readonly answer: Promise<DigestAnswer>;
  readonly untilMs: number;
  /** Characters; 0 until it is there. */
  size: number;
}

/** Keeps digests that are ready for half a minute, the newest up to the limit of characters. */
function createDigestCache(clock: () => number): DigestCache {
  /** Oldest first. */
  const cached = new Map<string, Cached>();
  let size = 0;

  const remove = (key: string, old: Cached): void => {
    // Another answer may have taken its place.
    if (cached.get(key) !== old) return;
    cached.delete(key);
    size -= old.size;
  };
  const removeExpired = (): void => {
    const nowMs = clock();
    for (const [key, old] of cached) {
      if (old.untilMs > nowMs) return;
      remove(key, old);
    }
  };
  const keep = (key: string, fresh: Cached, answer: DigestAnswer): void => {
    if (!answer.ready) remove(key, fresh);
    if (!answer.ready || cached.get(key) !== fresh) return;
    fresh.size = measureDigest(answer.digest);
    size += fresh.size;
    // The oldest go first. Fetches that are under way stay: they have no size yet, and others wait for them.
    for (const [oldKey, old] of cached) {
      if (size <= MAX_CHARACTERS) return;
      if (old !== fresh && old.size > 0) remove(oldKey, old);
    }
  };
  return {
    get(key) {
      removeExpired();
      return cached.get(key)?.answer;
    },
    add(key, answer) {
      const fresh: Cached = { answer, untilMs: clock() + KEPT_MS, size: 0 };
      cached.set(key, fresh);
      answer.then(
        (ready) => keep(key, fresh, ready),
        () => remove(key, fresh),
      );
    },
  };
}

/** The meetings that completed in a period. */
export interface PeriodSource {
  /**
   * Those that the recipe takes, the first to complete first. Of a meeting whose report cannot be read it is not known
   * whether a recipe with conditions takes it, so such a recipe leaves it out. Rejects with the client's
   * `ServiceError` when the service cannot be asked now.
   */
  read(period: Period, recipe: Matchable): Promise<readonly PeriodMeeting[]>;
}

/** A digest mail with more is not readable. */
const MAX_REPORTS = 100;

/** Each costs a request. */
const MAX_READ = 1000;

/** More than this are not even counted. */
const MAX_MEETINGS = 5000;

/** Reads one report after the other: a digest mail is in no hurry, and the service has a limit. */
export function createPeriodSource(
  meetings: Pick<MeetingIndex, 'list'>,
  digests: DigestSource,
): PeriodSource {
  return {
    async read(period, recipe) {
      const listed = await meetings.list({ ...period, limit: MAX_MEETINGS });
      const own = listed.filter(({ endpoint }) => recipe.runsAt(endpoint)).toSorted(compareCompletion);
      const found: PeriodMeeting[] = [];
      for (const [place, meeting] of own.entries()) {
        if (place >= MAX_READ) found.push({ leftOut: 'not_read' });
        else if (found.length >= MAX_REPORTS && recipe.conditions.length === 0)
          found.push({ leftOut: 'too_many' });
        else {
          const read = await readMeeting(meeting, digests);
          if (!isTaken(recipe, meeting, read)) continue;
          found.push(found.length < MAX_REPORTS ? read : { leftOut: 'too_many' });
        }
      }
      return found;
    },
  };
}

function isTaken(recipe: Matchable, meeting: SeenMeeting, read: PeriodMeeting): boolean {
  if (!('digest' in read)) return recipe.conditions.length === 0;
  return takesMeeting(recipe, toPeriodEvent(meeting), read.digest) === true;
}

/** A meeting of a period as an event, for the conditions of a recipe. */
function toPeriodEvent({ meetingId, completedAt = '', endpoint, seenAtMs }: SeenMeeting): MeetingEvent {
  const receivedAt = new Date(seenAtMs).toISOString();
  return { kind: 'meeting.completed', meetingId, occurrence: completedAt, endpoint, receivedAt };
}

async function readMeeting(
  { meetingId, completedAt = '' }: SeenMeeting,
  digests: DigestSource,
): Promise<PeriodMeeting> {
  try {
    const answer = await digests.read({ meetingId, kind: 'meeting.completed', occurrence: completedAt });
    return answer.ready ? { digest: answer.digest } : { leftOut: 'not_ready' };
  } catch (error) {
    // A problem of one meeting does not stop the others.
    const code = error instanceof ServiceError ? error.code : undefined;
    if (code === 'not_found') return { leftOut: 'deleted' };
    if (code === 'unreadable' || code === 'bad_request') return { leftOut: 'unreadable' };
    throw error;
  }
}

/** The index has them by their newest event, which can be a later one. */
function compareCompletion(one: SeenMeeting, other: SeenMeeting): number {
  return readCompletedMs(one) - readCompletedMs(other);
}

function readCompletedMs({ completedAt, seenAtMs }: SeenMeeting): number {
  const completedMs = Date.parse(completedAt ?? '');
  return Number.isNaN(completedMs) ? seenAtMs : completedMs;
}
