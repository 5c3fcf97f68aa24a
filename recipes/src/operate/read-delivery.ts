import { readWebhookEvent } from '@aftermeet/contract';
import type { StoredJob } from '@aftermeet/queue';

import { nameReconciledEvent } from './reconciled-event.ts';

/** A stored delivery, for people: of its body only what names the meeting. Times are milliseconds since 1970. */
export interface StoredDelivery {
  readonly id: string;
  readonly state: StoredJob<'event'>['state'];
  readonly receivedAtMs: number;
  /** Why its job has failed, or why it cannot be read. */
  readonly cause?: string;
  /** The unsigned delivery header. */
  readonly deliveryId?: string;
  readonly isUnsigned?: boolean;
  /** It never came: a search has found its meeting. */
  readonly isReconciled?: boolean;
  readonly endpoint?: string;
  readonly kind?: string;
  readonly meetingId?: string;
  /** The event's own timestamp. */
  readonly occurrence?: string;
  readonly title?: string;
}

/** What may be shown of a stored delivery. One that cannot be read says so in `cause`. Pure. */
export function readDelivery(job: StoredJob<'event'>): StoredDelivery {
  const { id, state, data, addedAtMs } = job;
  const facts = {
    id,
    state,
    receivedAtMs: addedAtMs,
    ...(job.cause === undefined ? {} : { cause: job.cause }),
  };
  if (data === undefined) return { ...facts, cause: job.cause ?? 'the data of its job cannot be read' };
  const received = Date.parse(data.receivedAt);
  const known = {
    ...facts,
    ...(Number.isNaN(received) ? {} : { receivedAtMs: received }),
    endpoint: data.endpoint,
    ...(data.deliveryId === undefined ? {} : { deliveryId: data.deliveryId }),
    ...(data.isUnsigned === undefined ? {} : { isUnsigned: data.isUnsigned }),
  };
  const reading = readWebhookEvent(new TextEncoder().encode(data.body));
  if (!reading.ok) return { ...known, cause: job.cause ?? `its body is not an event: ${reading.detail}` };
  const { event: kind, meeting_id: meetingId, timestamp, data: claims } = reading.event;
  // Of a hint nothing but kind and meeting is believed.
  if (data.isUnsigned === true) return { ...known, kind, meetingId };
  return {
    ...known,
    ...(id === nameReconciledEvent({ meetingId, kind }) ? { isReconciled: true } : {}),
    kind,
    meetingId,
    occurrence: timestamp,
    ...(claims.title === undefined ? {} : { title: claims.title }),
  };
}
