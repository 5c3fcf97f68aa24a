import { sampleMeetings } from '../content/sample-meetings.ts';
import type { Meeting } from './meeting.ts';
import { sandboxUser } from './sandbox-user.ts';
import type { SandboxWorld } from './sandbox-world.ts';

/** What a recording or an upload says of its meeting. */
export interface MeetingFacts extends Pick<
  Meeting,
  'link' | 'source' | 'localDateTime' | 'isScheduled' | 'cron' | 'status' | 'webhookUrl' | 'webhookSecret'
> {
  /** Default: the sample meeting's own. */
  readonly title: string | undefined;
  /** Default `default-meeting`. */
  readonly templateName: string | undefined;
}

/** Adds a meeting whose content is the next of the sample meetings. */
export function makeMeeting(world: SandboxWorld, facts: MeetingFacts): Meeting {
  const { title, templateName = 'default-meeting', ...rest } = facts;
  const script = sampleMeetings[world.meetings.list().length % sampleMeetings.length] ?? sampleMeetings[0];
  const meeting: Meeting = {
    ...rest,
    id: world.makeId(),
    title: title ?? script.name,
    authorId: sandboxUser.id,
    templates: [{ id: world.makeId(), templateName, edits: [] }],
    tagIds: [],
    isTranscriptEmpty: false,
    script,
  };
  world.meetings.put(meeting);
  world.observe({ kind: 'meeting_recorded', meetingId: meeting.id });
  return meeting;
}
