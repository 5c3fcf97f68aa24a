import { createHash } from 'node:crypto';

import type { EventJob } from '@aftermeet/queue';

import type { UndeliveredMeeting } from './find-undelivered.ts';

/** The id of the job of an event that never came: the same on every machine, and that of no delivery. */
export function nameReconciledEvent({
  meetingId,
  kind,
}: {
  readonly meetingId: string;
  readonly kind: string;
}): string {
  return createHash('sha256')
    .update(JSON.stringify(['reconcile', meetingId, kind]), 'utf8')
    .digest('hex');
}

/** What the service would have sent; its time is that of the question, because the answer is as old as that. */
export function writeReconciledEvent(
  { meetingId, kind, title }: UndeliveredMeeting,
  endpoint: string,
  nowMs: number,
): EventJob {
  const timestamp = new Date(nowMs).toISOString();
  return {
    endpoint,
    receivedAt: timestamp,
    body: JSON.stringify({ event: kind, meeting_id: meetingId, timestamp, data: { title } }),
  };
}
