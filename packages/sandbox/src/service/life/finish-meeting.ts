import type { ContentLanguage } from '../../content/languages.ts';
import { countMinutes } from '../account/count-minutes.ts';
import { describeEvent, type MeetingOutcome } from '../deliveries/describe-event.ts';
import type { Meeting } from '../meeting.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { describeFailure, guessFailure } from './failure-reasons.ts';
import { holdScript } from './hold-script.ts';
import { keepMoved } from './keep-moved.ts';
import { type Sending, sendEvent } from './send-event.ts';
import { speakLanguage } from './speak-language.ts';
import { startOccurrence } from './start-occurrence.ts';

export interface Completion {
  /** Default false. */
  readonly isTranscriptEmpty?: boolean | undefined;
  /** In which it is spoken; default: the sample meeting's own. */
  readonly language?: ContentLanguage | undefined;
  /** What is said in it: an id of `content/find-script.ts`, such as `long/6000/1`; goes before the language. */
  readonly scriptId?: string | undefined;
}

export interface Failure {
  /** Free text, or a word of `failure-reasons.ts`. */
  readonly reason?: string | undefined;
}

/** The meeting's new status and, when it has a receiver, the delivery that is now under way. */
export type Finish = Sending;

/** Ends processing well, from any state: the report can be read and `meeting.completed` is sent. What was planned for the meeting is taken back. Throws `RangeError` for a script that there is not. */
export function completeMeeting(
  world: SandboxWorld,
  meetingId: string,
  { isTranscriptEmpty = false, language, scriptId }: Completion,
): Finish | undefined {
  const meeting = world.meetings.find(meetingId);
  if (meeting === undefined) return undefined;
  const held = comeAgain(world, meeting);
  const spoken = speak(world, held, { language, scriptId });
  const done: Meeting = { ...spoken, status: 'new', isTranscriptEmpty, areMinutesUsed: true };
  const reportUrl = `${world.baseUrl()}/api/video/report?meeting_id=${encodeURIComponent(meetingId)}`;
  return world.together(() => {
    if (held.areMinutesUsed !== true) world.account.useMinutes(countMinutes(done));
    return finish(world, done, { event: 'meeting.completed', reportUrl });
  });
}

function speak(world: SandboxWorld, meeting: Meeting, { language, scriptId }: Completion): Meeting {
  if (scriptId !== undefined) return holdScript(meeting, scriptId);
  return language === undefined ? meeting : speakLanguage(world, meeting, language);
}

/** Ends processing badly, from any state: `meeting.failed` is sent. A later completion is possible. */
export function failMeeting(world: SandboxWorld, meetingId: string, failure: Failure): Finish | undefined {
  const meeting = world.meetings.find(meetingId);
  if (meeting === undefined) return undefined;
  const reason =
    failure.reason === undefined ? guessFailure(meeting.link === undefined) : describeFailure(failure.reason);
  const done: Meeting = {
    ...comeAgain(world, meeting),
    status: 'failed',
    isTranscriptEmpty: true,
    failureReason: reason,
  };
  return world.together(() => finish(world, done, { event: 'meeting.failed', reason }));
}

/** A series that nobody is in ends an occurrence that begins now; one that failed can still end well. */
function comeAgain(world: SandboxWorld, meeting: Meeting): Meeting {
  const isOver = meeting.status === 'queued' || meeting.status === 'new' || meeting.status === 'processed';
  const nowMs = world.clock.now();
  return meeting.cron !== undefined && isOver ? startOccurrence(meeting, nowMs, world.makeId) : meeting;
}

/** Within one change of the state: no other process finds a meeting that has ended without its event. */
function finish(world: SandboxWorld, ended: Meeting, outcome: MeetingOutcome): Finish {
  const nowMs = world.clock.now();
  const done: Meeting = { ...ended, statusSinceMs: nowMs };
  keepMoved(world, done);
  const kind = outcome.event === 'meeting.completed' ? 'meeting_completed' : 'meeting_failed';
  world.observe({ kind, meetingId: done.id });
  const body = describeEvent(done, outcome, nowMs, world.knobs.read());
  return sendEvent(world, done, outcome.event, body);
}
