import { z } from 'zod';

import { readOccurrenceMs } from '../store/store-tools.ts';

/** An event of a meeting, as it was planned. Times are milliseconds since 1970. */
export interface MeetingNote {
  readonly meetingId: string;
  readonly kind: string;
  /** The event's own timestamp, ISO 8601. */
  readonly occurrence: string;
  /** The endpoint to which it came. */
  readonly endpoint: string;
  /** What it says is not signed: it changes no endpoint that is known. */
  readonly isUnsigned?: boolean;
  readonly nowMs: number;
}

/** A recording or an upload that this installation has ordered. */
interface MeetingOrder {
  readonly meetingId: string;
  /** The endpoint that its deliveries go to. */
  readonly endpoint: string;
  readonly nowMs: number;
}

export interface SeenMeeting {
  readonly meetingId: string;
  /** When its newest event was planned. */
  readonly seenAtMs: number;
  /** The newest occurrence of `meeting.completed`; absent: it has not completed. */
  readonly completedAt?: string;
  /** The endpoint to which its newest signed event came; of its first event where none is signed. Empty: not known. */
  readonly endpoint: string;
}

/** Which meetings have sent events, kept for 90 days, and which were ordered. */
export interface MeetingIndex {
  /** Notes an event, and says what was known before it. */
  note(note: MeetingNote): Promise<SeenMeeting | undefined>;
  /** Those of them that are known. */
  find(meetingIds: readonly string[]): Promise<readonly SeenMeeting[]>;
  /** Remembers the endpoint of a meeting before its first event, for 400 days. */
  noteOrder(order: MeetingOrder): Promise<void>;
  /** The endpoints of those that were ordered, by meeting id. */
  findOrders(meetingIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Completed meetings whose newest event was planned in `[fromMs, toMs)`, oldest first; at most `limit`. */
  list(range: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly limit: number;
  }): Promise<readonly SeenMeeting[]>;
  sweep(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

/** The endpoints of meetings, by meeting id: those that they were ordered for, else those that their events came to. */
export async function findEndpoints(
  meetingIds: readonly string[],
  meetings: Pick<MeetingIndex, 'find' | 'findOrders'>,
): Promise<ReadonlyMap<string, string>> {
  const [seen, ordered] = await Promise.all([meetings.find(meetingIds), meetings.findOrders(meetingIds)]);
  const arrived = seen.filter(({ endpoint }) => endpoint !== '');
  return new Map([...arrived.map(({ meetingId, endpoint }) => [meetingId, endpoint] as const), ...ordered]);
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

/** A recording starts within three months, and a repeated one can go on for a year. */
export const orderRetentionMs = 400 * 24 * 60 * 60 * 1000;

const rowSchema = z
  .tuple([z.string(), z.coerce.number(), z.string().nullable(), z.string().nullable()])
  .transform(([meetingId, seenAtMs, completedAt, endpoint]): SeenMeeting => {
    const seen = { meetingId, seenAtMs, endpoint: endpoint ?? '' };
    return completedAt === null || completedAt === '' ? seen : { ...seen, completedAt };
  });

/** What both stores answer: id, time, completion and endpoint of each meeting. */
export const seenMeetingsSchema = z.array(rowSchema);

/** One answer for each note: what was known before, or null. */
export const notedMeetingsSchema = z.array(z.union([rowSchema, z.null()]));
