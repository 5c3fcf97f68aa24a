import { z } from 'zod';

import { readOccurrenceMs } from '../store/store-tools.ts';

/** An event of a meeting, as it was planned. Times are milliseconds since 1970. */
export interface MeetingNote {
  readonly meetingId: string;
  readonly kind: string;
  /** The event's own timestamp, ISO 8601. */
  readonly occurrence: string;
  readonly nowMs: number;
}

export interface SeenMeeting {
  readonly meetingId: string;
  /** When its newest event was planned. */
  readonly seenAtMs: number;
  /** The newest occurrence of `meeting.completed`; absent: it has not completed. */
  readonly completedAt?: string;
}

/** Which meetings have sent events, kept for 90 days. */
export interface MeetingIndex {
  /** Notes an event, and says what was known before it. */
  note(note: MeetingNote): Promise<SeenMeeting | undefined>;
  /** Those of them that are known. */
  find(meetingIds: readonly string[]): Promise<readonly SeenMeeting[]>;
  /** Completed meetings whose newest event was planned in `[fromMs, toMs)`, oldest first; at most `limit`. */
  list(range: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly limit: number;
  }): Promise<readonly SeenMeeting[]>;
  sweep(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

/** When the meeting completed, of an event that says so; empty for the others. */
export function readCompletion({ kind, occurrence }: MeetingNote): {
  readonly completedAt: string;
  readonly completedAtMs: number;
} {
  return kind === 'meeting.completed'
    ? { completedAt: occurrence, completedAtMs: readOccurrenceMs(occurrence) }
    : { completedAt: '', completedAtMs: 0 };
}

/** How long a meeting is known after its newest event. */
export const meetingRetentionMs = 90 * 24 * 60 * 60 * 1000;

const rowSchema = z
  .tuple([z.string(), z.coerce.number(), z.string().nullable()])
  .transform(([meetingId, seenAtMs, completedAt]): SeenMeeting => {
    const seen = { meetingId, seenAtMs };
    return completedAt === null || completedAt === '' ? seen : { ...seen, completedAt };
  });

/** What both stores answer: id, time and completion of each meeting. */
export const seenMeetingsSchema = z.array(rowSchema);

/** One answer for each note: what was known before, or null. */
export const notedMeetingsSchema = z.array(z.union([rowSchema, z.null()]));
