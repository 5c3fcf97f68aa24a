import { chooseScript } from '../../content/choose-script.ts';
import { findScript } from '../../content/find-script.ts';
import type { Meeting } from '../meeting.ts';
import { sandboxUser } from '../sandbox-user.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { keepMoved } from './keep-moved.ts';

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
  const scriptId = chooseScript({ number: world.meetings.takeNumber() });
  const meeting: Meeting = {
    ...rest,
    id: world.makeId(),
    title: title ?? findScript(scriptId).name,
    authorId: sandboxUser.id,
    templates: [{ id: world.makeId(), templateName, edits: [] }],
    tagIds: [],
    isTranscriptEmpty: false,
    scriptId,
    statusSinceMs: world.clock.now(),
  };
  keepMoved(world, meeting);
  world.observe({ kind: 'meeting_recorded', meetingId: meeting.id });
  return meeting;
}
