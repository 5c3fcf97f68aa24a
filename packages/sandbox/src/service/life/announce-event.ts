import { describeAnyEvent } from '../deliveries/describe-event.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { type Sending, sendEvent } from './send-event.ts';

export interface Announcement {
  /** Of any kind, also one that the specification does not have; it goes into a header. */
  readonly event: string;
  /** Default: the title, and whether the transcript is empty. */
  readonly data?: object | undefined;
}

/** Sends an event about a meeting that stays as it is; undefined when no meeting has the id. */
export function announceEvent(
  world: SandboxWorld,
  meetingId: string,
  { event, data }: Announcement,
): Sending | undefined {
  const meeting = world.meetings.find(meetingId);
  if (meeting === undefined) return undefined;
  const { title, isTranscriptEmpty } = meeting;
  const told = data ?? { title, is_transcript_empty: isTranscriptEmpty };
  const body = describeAnyEvent(event, meetingId, told, world.clock.now(), world.knobs.read());
  return sendEvent(world, meeting, event, body);
}
