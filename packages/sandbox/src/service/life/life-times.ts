import { findScript } from '../../content/find-script.ts';
import { timeScript } from '../../content/time-script.ts';
import type { Meeting } from '../meeting.ts';

/** How long the service works on a recording or a file (assumed). */
export const processingMs = 20_000;

/** How long the bot stays: as long as is spoken in the sample meeting. */
export function measureRecordingMs(meeting: Meeting): number {
  return (timeScript(findScript(meeting.scriptId)).at(-1)?.endSeconds ?? 0) * 1000;
}
