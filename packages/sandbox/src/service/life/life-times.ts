import { findScript } from '../../content/find-script.ts';
import { measureSeconds, timeScript } from '../../content/time-script.ts';
import type { Meeting } from '../meeting.ts';

/** How long the service works on a recording or a file (assumed). */
export const processingMs = 20_000;

/** How long the bot stays: as long as is spoken in the sample meeting. */
export function measureRecordingMs(meeting: Meeting): number {
  return measureSeconds(timeScript(findScript(meeting.scriptId))) * 1000;
}
