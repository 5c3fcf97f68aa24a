import { readOccurrenceMs } from '../store/occurrence-time.ts';
import type { MeetingNote } from './meeting-index.ts';

/** When the meeting completed, of an event that says so; empty for the others. */
export function readCompletion({ kind, occurrence }: MeetingNote): {
  readonly completedAt: string;
  readonly completedAtMs: number;
} {
  return kind === 'meeting.completed'
    ? { completedAt: occurrence, completedAtMs: readOccurrenceMs(occurrence) }
    : { completedAt: '', completedAtMs: 0 };
}
