import type { ReportReader } from '@aftermeet/client';

import { buildDigest, type Digest } from './digest.ts';
import type { MeetingEvent } from './recipe.ts';

type DigestAnswer =
  | { readonly ready: true; readonly digest: Digest }
  | { readonly ready: false; readonly status: string };

export interface DigestSource {
  /** Rejects with the client's `ServiceError`. */
  read(event: MeetingEvent): Promise<DigestAnswer>;
}

interface Kept {
  readonly answer: Promise<DigestAnswer>;
  readonly untilMs: number;
}

/** Long enough for all effects of one event, too short for an edited report to be missed. */
const keptMs = 30_000;
/** A digest is of bounded size, so a bounded number of them is too. */
const keptDigests = 32;

/**
 * Digests of reports, each fetched once for all effects of its event. Only the digest is kept: a
 * report with its transcript would be many times as large. The report is always asked for by meeting
 * id; the address in the event is not used. The signal ends the fetches that are under way.
 */
export function createDigestSource(
  client: ReportReader,
  clock: () => number,
  onFetched: (meetingId: string, elapsedMs: number) => void,
  signal?: AbortSignal,
): DigestSource {
  const kept = new Map<string, Kept>();

  const fetchDigest = async (meetingId: string): Promise<DigestAnswer> => {
    const startedMs = clock();
    const answer = await client.reports.get(meetingId, signal === undefined ? {} : { signal });
    if (!answer.ready) return { ready: false, status: answer.status };
    onFetched(meetingId, clock() - startedMs);
    return { ready: true, digest: buildDigest(answer.report) };
  };

  return {
    async read(event) {
      const key = JSON.stringify([event.meetingId, event.kind, event.occurrence]);
      const known = kept.get(key);
      if (known !== undefined && known.untilMs > clock()) return known.answer;
      const fresh = { answer: fetchDigest(event.meetingId), untilMs: clock() + keptMs };
      kept.delete(key);
      kept.set(key, fresh);
      for (const oldest of kept.keys()) if (kept.size > keptDigests) kept.delete(oldest);
      const forget = (): void => {
        if (kept.get(key) === fresh) kept.delete(key);
      };
      try {
        const answer = await fresh.answer;
        if (!answer.ready) forget();
        return answer;
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}
