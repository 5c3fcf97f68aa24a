import { z } from 'zod';

import { meetingSchema, type Meeting } from './meeting.ts';
import { createCollection, type Collection } from './state/collection.ts';
import type { Journal } from './state/journal.ts';
import { createKept } from './state/kept.ts';

export const keptMeetings = 2000;

/** The meetings of one sandbox, in the order they were recorded; the oldest are forgotten. */
export interface MeetingStore extends Collection<Meeting> {
  /** Numbers the recordings and uploads from 0 on, also beyond the most that are kept. */
  readonly takeNumber: () => number;
}

export function createMeetingStore(journal: Journal): MeetingStore {
  const meetings = createCollection({
    name: 'meetings',
    schema: meetingSchema,
    keyOf: ({ id }) => id,
    limit: keptMeetings,
    journal,
  });
  const numbered = createKept(journal, 'numbered', z.int().min(0), 0);
  return {
    ...meetings,
    takeNumber() {
      const number = numbered.read();
      numbered.write(number + 1);
      return number;
    },
    clear() {
      meetings.clear();
      numbered.reset();
    },
  };
}
