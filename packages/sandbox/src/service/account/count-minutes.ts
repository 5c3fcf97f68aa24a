import { findScript } from '../../content/find-script.ts';
import { timeScript } from '../../content/time-script.ts';
import type { Meeting } from '../meeting.ts';

/** What a completed meeting takes off the minutes of the plan: its duration, rounded up; nothing where nobody spoke (assumed). */
export function countMinutes({ isTranscriptEmpty, scriptId }: Meeting): number {
  if (isTranscriptEmpty) return 0;
  return Math.ceil((timeScript(findScript(scriptId)).at(-1)?.endSeconds ?? 0) / 60);
}
