import { createHash } from 'node:crypto';

import type { EventJob } from '@aftermeet/queue';

/** The id of the job of an event that tells of a new report: each effect tells of it once, and it is no delivery's. */
export function nameRegeneratedEvent(effectKey: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['regenerate', effectKey]), 'utf8')
    .digest('hex');
}

export interface RegeneratedReport {
  readonly meetingId: string;
  readonly title: string;
  readonly endpoint: string;
  /** When the report before it was made, by the service's clock; absent: nobody knows. */
  readonly after?: string;
}

/**
 * What the service would have sent for a report that was made again. Its time is a new one: to the other recipes it is
 * another occurrence of the same meeting, and they change what they sent. It is later than the event before it even where
 * our clock is behind the service's: what seems older changes nothing.
 */
export function writeRegeneratedEvent(
  { meetingId, title, endpoint, after = '' }: RegeneratedReport,
  nowMs: number,
): EventJob {
  const afterMs = Date.parse(after);
  const happenedMs = Number.isNaN(afterMs) ? nowMs : Math.max(nowMs, afterMs + 1);
  const timestamp = new Date(happenedMs).toISOString();
  const body = { event: 'meeting.completed', meeting_id: meetingId, timestamp, data: { title } };
  return { endpoint, receivedAt: new Date(nowMs).toISOString(), body: JSON.stringify(body) };
}
