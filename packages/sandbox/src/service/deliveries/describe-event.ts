import type { Knobs } from '../knobs/knobs.ts';
import type { Meeting } from '../meeting.ts';

/** Why a meeting's processing ended: what the two events tell. */
export type MeetingOutcome =
  | { readonly event: 'meeting.completed'; readonly reportUrl: string }
  | { readonly event: 'meeting.failed'; readonly reason: string };

type EventKnobs = Pick<Knobs, 'eventTimestamp' | 'eventExtraFields'>;

/** The body of a delivery that tells how a meeting ended (specification, Events). */
export function describeEvent(
  meeting: Meeting,
  outcome: MeetingOutcome,
  nowMs: number,
  knobs: EventKnobs,
): object {
  const { title, isTranscriptEmpty } = meeting;
  const ending =
    outcome.event === 'meeting.completed' ? { report_url: outcome.reportUrl } : { reason: outcome.reason };
  const data = { title, is_transcript_empty: isTranscriptEmpty, ...ending };
  return describeAnyEvent(outcome.event, meeting.id, data, nowMs, knobs);
}

/** The body of a delivery of any kind, also one that the specification does not have. */
export function describeAnyEvent(
  event: string,
  meetingId: string,
  data: object,
  nowMs: number,
  knobs: EventKnobs,
): object {
  const timestamp = timeForms[knobs.eventTimestamp](nowMs);
  const body = { event, meeting_id: meetingId, timestamp, data };
  if (!knobs.eventExtraFields) return body;
  return {
    ...body,
    api_version: '2027-01',
    trace: { hops: [1, 2] },
    data: { ...data, mood: null, files: [] },
  };
}

const offsetMs = 3 * 3_600_000;

/** The first, ISO 8601 UTC in whole seconds, is what was observed. */
const timeForms: Readonly<Record<Knobs['eventTimestamp'], (timeMs: number) => string | number>> = {
  iso_seconds: (timeMs) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`,
  iso_millis: (timeMs) => new Date(timeMs).toISOString(),
  iso_offset: (timeMs) => `${new Date(timeMs + offsetMs).toISOString().slice(0, 19)}+03:00`,
  unix_seconds: (timeMs) => Math.floor(timeMs / 1000),
  unix_millis: Math.floor,
};
