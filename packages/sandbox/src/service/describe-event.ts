import type { Meeting } from './meeting.ts';

/** Why a meeting's processing ended: what the two events tell. */
export type MeetingOutcome =
  | { readonly event: 'meeting.completed'; readonly reportUrl: string }
  | { readonly event: 'meeting.failed'; readonly reason: string };

/** The body of a delivery (specification, Events); the time is ISO 8601 UTC in whole seconds, as observed. */
export function describeEvent(meeting: Meeting, outcome: MeetingOutcome, nowMs: number): object {
  const { title, isTranscriptEmpty } = meeting;
  const ending =
    outcome.event === 'meeting.completed' ? { report_url: outcome.reportUrl } : { reason: outcome.reason };
  return {
    event: outcome.event,
    meeting_id: meeting.id,
    timestamp: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    data: { title, is_transcript_empty: isTranscriptEmpty, ...ending },
  };
}
