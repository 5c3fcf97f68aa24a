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
