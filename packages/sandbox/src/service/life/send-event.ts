import type { Meeting } from '../meeting.ts';
import type { SandboxWorld } from '../sandbox-world.ts';

/** The meeting's status and, when it has a receiver, the delivery that is now under way. */
export interface Sending {
  readonly meetingId: string;
  readonly status: Meeting['status'];
  readonly deliveryId?: string;
}

/** Sends an event to the meeting's receiver, if it has one. */
export function sendEvent(world: SandboxWorld, meeting: Meeting, event: string, body: object): Sending {
  const { id: meetingId, status, webhookUrl } = meeting;
  if (webhookUrl === undefined) return { meetingId, status };
  const deliveryId = world.makeId();
  world.sender.send({
    id: deliveryId,
    meetingId,
    event,
    url: webhookUrl,
    secret: meeting.webhookSecret,
    body: JSON.stringify(body),
  });
  return { meetingId, status, deliveryId };
}
