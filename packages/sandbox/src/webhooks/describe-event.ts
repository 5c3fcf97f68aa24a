import type { ServiceOptions } from '../service-options.ts';

type EventOptions = Pick<ServiceOptions, 'eventTimestamp' | 'extraFields'>;

/** The body of a delivery (specification, Events) of any kind, also of an unknown one. */
export function describeEvent(
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
