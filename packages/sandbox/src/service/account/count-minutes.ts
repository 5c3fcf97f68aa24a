import { measureRecordingMs } from '../life/life-times.ts';
import type { Meeting } from '../meeting.ts';

const minuteMs = 60_000;

/** What a completed meeting takes off the minutes of the plan: its duration, rounded up; nothing where nobody spoke (assumed). */
export function countMinutes(meeting: Meeting): number {
  return meeting.isTranscriptEmpty ? 0 : Math.ceil(measureRecordingMs(meeting) / minuteMs);
}
