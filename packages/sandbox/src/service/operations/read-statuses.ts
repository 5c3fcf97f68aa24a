import { z } from 'zod';

import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';

const mostIds = 100;

/** The query of this form of the question: `meeting_ids` and nothing else. */
const querySchema = z.strictObject({ meeting_ids: z.string() });

/**
 * The status of up to 100 meetings as a JSON map, for a query with `meeting_ids` (comma-separated) in place of
 * `meeting_id`: observed, and in no field of the contract. Undefined for any other query. An unknown meeting has no
 * entry (assumed).
 */
export function readStatuses(world: SandboxWorld, query: unknown): ServiceAnswer | undefined {
  const reading = querySchema.safeParse(query);
  if (!reading.success) return undefined;
  const meetingIds = reading.data.meeting_ids.split(',').map((id) => id.trim());
  if (meetingIds.length > mostIds || meetingIds.includes('')) {
    const message = `meeting_ids must be 1 to ${String(mostIds)} ids with commas between them.`;
    return answerError(400, 'INVALID_REQUEST', message, 'meeting_ids');
  }
  const entries = [...new Set(meetingIds)].flatMap((id) => {
    world.life.poll(id);
    const meeting = world.meetings.find(id);
    return meeting === undefined ? [] : [[id, meeting.status] as const];
  });
  return answerJson(200, Object.fromEntries(entries));
}
