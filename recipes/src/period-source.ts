import { ServiceError } from '@aftermeet/client';

import type { DigestSource } from './digest-source.ts';
import type { MeetingIndex, SeenMeeting } from './meetings/meeting-index.ts';
import type { Period, PeriodMeeting } from './recipe.ts';

/** The meetings that completed in a period. */
export interface PeriodSource {
  /**
   * All of them, the first to complete first, those included of which nothing can be told. Rejects with the client's
   * `ServiceError` when the service can not be asked now.
   */
  read(period: Period): Promise<readonly PeriodMeeting[]>;
}

/** More than this nobody reads; each costs a request. */
const mostReports = 100;
/** More than this are not even counted. */
const mostMeetings = 5000;

/** Reads one report after the other: a digest mail is in no hurry, and the service has a limit. */
export function createPeriodSource(
  meetings: Pick<MeetingIndex, 'list'>,
  digests: DigestSource,
): PeriodSource {
  return {
    async read(period) {
      const listed = await meetings.list({ ...period, limit: mostMeetings });
      const found: PeriodMeeting[] = [];
      for (const [place, meeting] of listed.toSorted(compareCompletion).entries()) {
        found.push(place < mostReports ? await readMeeting(meeting, digests) : { leftOut: 'too_many' });
      }
      return found;
    },
  };
}

async function readMeeting(
  { meetingId, completedAt = '' }: SeenMeeting,
  digests: DigestSource,
): Promise<PeriodMeeting> {
  try {
    const answer = await digests.read({ meetingId, kind: 'meeting.completed', occurrence: completedAt });
    return answer.ready ? { digest: answer.digest } : { leftOut: 'not_ready' };
  } catch (error) {
    // What is wrong with one meeting is no reason to tell nothing of the others.
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
