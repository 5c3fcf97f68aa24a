import type { Meeting } from '../meetings.ts';
import type { ServiceOptions } from '../service-options.ts';

/** How the processing of a meeting ended. */
export type MeetingOutcome =
  | { readonly event: 'meeting.completed'; readonly reportUrl: string }
  | { readonly event: 'meeting.failed'; readonly reason: string };

type EventOptions = Pick<ServiceOptions, 'eventTimestamp' | 'extraFields'>;

/** The body of a delivery about the end of a meeting (specification, Events). */
export function describeEvent(
  { id, title, isTranscriptEmpty }: Meeting,
  outcome: MeetingOutcome,
  nowMs: number,
  options: EventOptions,
): object {
  const end =
    outcome.event === 'meeting.completed' ? { report_url: outcome.reportUrl } : { reason: outcome.reason };
  const data = { title, is_transcript_empty: isTranscriptEmpty, ...end };
  return describeAnyEvent(outcome.event, id, data, nowMs, options);
}

/** The body of a delivery of any kind, also of an unknown one. */
export function describeAnyEvent(
  event: string,
  meetingId: string,
  data: object,
  nowMs: number,
  { eventTimestamp, extraFields }: EventOptions,
): object {
  const timestamp = timestampFormats[eventTimestamp](nowMs);
  const body = { event, meeting_id: meetingId, timestamp, data };
  if (!extraFields) return body;
  return {
    ...body,
    api_version: '2027-01',
    trace: { hops: [1, 2] },
    data: { ...data, mood: null, files: [] },
  };
}

const OFFSET_MS = 3 * 3_600_000;

/** `iso_seconds` was observed. */
const timestampFormats: Readonly<
  Record<ServiceOptions['eventTimestamp'], (timeMs: number) => string | number>
> = {
  iso_seconds: (timeMs) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`,
  iso_millis: (timeMs) => new Date(timeMs).toISOString(),
  iso_offset: (timeMs) => `${new Date(timeMs + OFFSET_MS).toISOString().slice(0, 19)}+03:00`,
  unix_seconds: (timeMs) => Math.floor(timeMs / 1000),
  unix_millis: Math.floor,
};
