import { dropOldest } from './drop-oldest.ts';
import type { Meeting } from './meeting.ts';

export const keptMeetings = 2000;

/** The meetings of one sandbox, in memory, in the order they were recorded; the oldest are forgotten. */
export interface MeetingStore {
  readonly find: (meetingId: string) => Meeting | undefined;
  readonly list: () => readonly Meeting[];
  /** Adds the meeting or replaces the one with its id. */
  readonly put: (meeting: Meeting) => void;
  readonly remove: (meetingId: string) => void;
  readonly clear: () => void;
}

export function createMeetingStore(): MeetingStore {
  const meetings = new Map<string, Meeting>();
  return {
    find: (meetingId) => meetings.get(meetingId),
    list: () => [...meetings.values()],
    put(meeting) {
      meetings.set(meeting.id, meeting);
      dropOldest(meetings, keptMeetings);
    },
    remove(meetingId) {
      meetings.delete(meetingId);
    },
    clear() {
      meetings.clear();
    },
  };
}
