import type { ReportReader } from '@aftermeet/client';

import { buildDigest, type Digest } from './digest.ts';
import { weighDigest } from './digest/weigh-digest.ts';
import type { MeetingEvent } from './recipe.ts';

type DigestAnswer =
  | { readonly ready: true; readonly digest: Digest }
  | { readonly ready: false; readonly status: string };

export interface DigestSource {
  /** Rejects with the client's `ServiceError`. */
  read(event: Pick<MeetingEvent, 'meetingId' | 'kind' | 'occurrence'>): Promise<DigestAnswer>;
}

interface Kept {
  readonly answer: Promise<DigestAnswer>;
  readonly untilMs: number;
  /** Characters; 0 until it is there. */
  size: number;
}

/** Long enough for all effects of one event, too short for an edited report to be missed. */
const keptMs = 30_000;
/** Characters of all digests together; the one that has just come is kept whatever its size. */
const keptCharacters = 4 * 1024 * 1024;

/**
 * Digests of reports, each fetched once for all effects of its event. Only the digest is kept: a report with its
 * transcript would be many times as large. The report is always asked for by meeting id: the address that an event
 * names for it may lead anywhere, and the key would go along. The signal ends the fetches that are under way.
 */
export function createDigestSource(
  client: ReportReader,
  clock: () => number,
  onFetched: (meetingId: string, elapsedMs: number) => void,
  {
    signal,
    withTranscript = false,
  }: { readonly signal?: AbortSignal; readonly withTranscript?: boolean } = {},
): DigestSource {
  /** Oldest first. */
  const kept = new Map<string, Kept>();
  let keptSize = 0;

  const fetchDigest = async (meetingId: string): Promise<DigestAnswer> => {
    const startedMs = clock();
    const answer = await client.reports.get(meetingId, signal === undefined ? {} : { signal });
    if (!answer.ready) return { ready: false, status: answer.status };
    onFetched(meetingId, clock() - startedMs);
    return { ready: true, digest: buildDigest(answer.report, { withTranscript }) };
  };

  const forget = (key: string, old: Kept): void => {
    // Another one may have taken its place.
    if (kept.get(key) !== old) return;
    kept.delete(key);
    keptSize -= old.size;
  };

  const forgetExpired = (nowMs: number): void => {
    for (const [key, old] of kept) {
      if (old.untilMs > nowMs) return;
      forget(key, old);
    }
  };

  /** The oldest go first. What is under way stays: it has no size yet, and others wait for it. */
  const makeRoom = (newest: Kept): void => {
    for (const [key, old] of kept) {
      if (keptSize <= keptCharacters) return;
      if (old !== newest && old.size > 0) forget(key, old);
    }
  };

  return {
    async read(event) {
      const nowMs = clock();
      forgetExpired(nowMs);
      const key = JSON.stringify([event.meetingId, event.kind, event.occurrence]);
      const known = kept.get(key);
      if (known !== undefined) return known.answer;
      const fresh: Kept = { answer: fetchDigest(event.meetingId), untilMs: nowMs + keptMs, size: 0 };
      kept.set(key, fresh);
      try {
        const answer = await fresh.answer;
        if (!answer.ready) forget(key, fresh);
        else if (kept.get(key) === fresh) {
          fresh.size = weighDigest(answer.digest);
          keptSize += fresh.size;
          makeRoom(fresh);
        }
        return answer;
      } catch (error) {
        forget(key, fresh);
        throw error;
      }
    },
  };
}
