import { z } from 'zod';

/**
 * What happened to each meeting and to each effect, for people who ask why something arrived or did not. It holds ids, causes
 * and titles: no other content, no address. It decides nothing: what cannot be written now is missing later.
 */
export interface Journal {
  /** Returns at once and never throws. Notes of one subject stay in order. */
  note(note: JournalNote): void;
  /** The notes of a meeting, oldest first; the newest `MAX_MEETING_ENTRIES`. */
  readMeetings(meetingIds: readonly string[]): Promise<readonly (readonly MeetingEntry[])[]>;
  /** The attempts of an effect, oldest first; the newest `MAX_ATTEMPTS`. */
  readEffects(effectKeys: readonly string[]): Promise<readonly (readonly Attempt[])[]>;
  /** Meetings by their newest note, newest first. */
  listMeetings(page: MeetingsPage): Promise<readonly MeetingPlace[]>;
  /** Deletes the notes of a meeting and of these effects. */
  forget(meetingId: string, effectKeys: readonly string[]): Promise<void>;
  /** Forgets what is past its time. */
  sweep(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

export type JournalNote =
  | { readonly meetingId: string; readonly note: MeetingEntry }
  | { readonly effectKey: string; readonly note: Attempt };

/** The place of a meeting in the list. */
export interface MeetingPlace {
  readonly meetingId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

interface MeetingsPage {
  readonly limit: number;
  /** Only what comes after this place. */
  readonly after?: MeetingPlace | undefined;
  /** Only meetings whose newest note is not later; milliseconds since 1970. */
  readonly untilMs?: number | undefined;
}

const effectSchema = z.object({
  effectKey: z.string(),
  recipe: z.string(),
  destination: z.string(),
  part: z.number(),
});

/** An effect that was queued. */
export type QueuedEffect = z.output<typeof effectSchema>;

const meetingEntrySchema = z.discriminatedUnion('kind', [
  /** A delivery was made into effects. */
  z.object({
    kind: z.literal('delivered'),
    atMs: z.number(),
    /** The id of its job. */
    delivery: z.string(),
    event: z.string(),
    endpoint: z.string(),
    title: z.string().optional(),
    isUnsigned: z.boolean().optional(),
    /** Why nothing is done at all. */
    nothing: z.string().optional(),
    /** `takes` is absent: its report decides. `cause`: why it does not take the meeting. */
    recipes: z
      .array(z.object({ name: z.string(), takes: z.boolean().optional(), cause: z.string().optional() }))
      .readonly(),
    effects: z.array(effectSchema).readonly(),
  }),
  /** The report, or a message, brought more effects. */
  z.object({ kind: z.literal('followed'), atMs: z.number(), effects: z.array(effectSchema).readonly() }),
  /** A person did something. */
  z.object({ kind: z.literal('operated'), atMs: z.number(), who: z.string(), what: z.string() }),
]);

export type MeetingEntry = z.output<typeof meetingEntrySchema>;

const attemptSchema = z.object({
  atMs: z.number(),
  elapsedMs: z.number(),
  /** `host:pid` of the worker. */
  worker: z.string(),
  outcome: z.enum(['sent', 'skipped', 'held', 'failed', 'waits']),
  /** Of one that waits, the worker's word for it. */
  why: z.string().optional(),
  cause: z.string().optional(),
});

/** One start of an effect that did something. */
export type Attempt = z.output<typeof attemptSchema>;

export const MAX_MEETING_ENTRIES = 100;
export const MAX_ATTEMPTS = 20;
/** More effects of one note are counted in `effects list` alone. */
export const MAX_NOTED_EFFECTS = 200;
/** Characters of a title or a cause. */
export const MAX_NOTED_TEXT = 500;
/** As long as the ledger knows an effect. */
export const JOURNAL_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Notes that a newer version wrote in another shape are left out. */
export function readMeetingEntries(stored: readonly unknown[]): readonly MeetingEntry[] {
  return stored.flatMap((note) => meetingEntrySchema.safeParse(note).data ?? []);
}

export function readAttempts(stored: readonly unknown[]): readonly Attempt[] {
  return stored.flatMap((note) => attemptSchema.safeParse(note).data ?? []);
}

/** Notes of one subject, as both stores write them. */
export interface NotedSubject {
  readonly subject: string;
  readonly meetingId: string | undefined;
  /** Of the newest note. */
  readonly atMs: number;
  readonly notes: readonly (MeetingEntry | Attempt)[];
}

/** A group of notes by subject: each subject once. Pure. */
export function groupNotes(group: readonly JournalNote[]): readonly NotedSubject[] {
  const subjects = new Map<string, NotedSubject>();
  for (const one of group) {
    const meetingId = 'meetingId' in one ? one.meetingId : undefined;
    const subject = 'meetingId' in one ? nameMeeting(one.meetingId) : nameEffect(one.effectKey);
    const { notes = [], atMs = 0 } = subjects.get(subject) ?? {};
    const { note } = one;
    const max = meetingId === undefined ? MAX_ATTEMPTS : MAX_MEETING_ENTRIES;
    subjects.set(subject, {
      subject,
      meetingId,
      atMs: Math.max(atMs, note.atMs),
      notes: [...notes, note].slice(-max),
    });
  }
  return [...subjects.values()];
}

export function nameMeeting(meetingId: string): string {
  return `meeting ${meetingId}`;
}

export function nameEffect(effectKey: string): string {
  return `effect ${effectKey}`;
}
