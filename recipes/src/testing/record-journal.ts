import type { Attempt, Journal, JournalNote, MeetingEntry } from '../engine/journal/journal.ts';

/** A journal in memory. */
export function recordJournal(): Journal & { readonly notes: readonly JournalNote[] } {
  const notes: JournalNote[] = [];
  const readMeeting = (id: string): readonly MeetingEntry[] =>
    notes.flatMap((one) => ('meetingId' in one && one.meetingId === id ? [one.note] : []));
  const readEffect = (key: string): readonly Attempt[] =>
    notes.flatMap((one) => ('effectKey' in one && one.effectKey === key ? [one.note] : []));
  return {
    notes,
    note: (note) => void notes.push(note),
    readMeetings: async (ids) => ids.map(readMeeting),
    readEffects: async (keys) => keys.map(readEffect),
    async listMeetings({ limit }) {
      const ids = [...new Set(notes.flatMap((one) => ('meetingId' in one ? [one.meetingId] : [])))];
      const places = ids.map((meetingId) => ({ meetingId, atMs: readMeeting(meetingId).at(-1)?.atMs ?? 0 }));
      return places.toSorted((one, other) => other.atMs - one.atMs).slice(0, limit);
    },
    async forget(meetingId, effectKeys) {
      const rest = notes.filter((one) =>
        'meetingId' in one ? one.meetingId !== meetingId : !effectKeys.includes(one.effectKey),
      );
      notes.splice(0, notes.length, ...rest);
    },
    sweep: async () => {},
    close: async () => {},
  };
}
