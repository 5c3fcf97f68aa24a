import { z } from 'zod';

import type { SeenMeeting } from './meeting-index.ts';

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
