import { limits, type OperationInput, type operations } from '@aftermeet/contract';

import { sampleMeetings } from '../../content/sample-meetings.ts';
import type { Meeting } from '../meeting.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';
import { guessSource } from './guess-source.ts';

type Input = OperationInput<typeof operations.recordings.start>;

/** Sends a bot, at once or (with a later time or a cron expression) queued until somebody moves the meeting on. */
export function startRecording(world: SandboxWorld, input: Input): ServiceAnswer {
  const nowMs = world.clock();
  const startMs = input.local_date_time === undefined ? nowMs : Date.parse(input.local_date_time);
  if (startMs > addMonths(nowMs, limits.schedulingHorizonMonths)) {
    const message = `local_date_time must be at most ${String(limits.schedulingHorizonMonths)} months ahead`;
    return answerError(400, 'INVALID_REQUEST', message, 'local_date_time');
  }
  const isScheduled = input.local_date_time !== undefined;
  if (
    world.meetings
      .list()
      .some((other) => isSameRecording(other, input.link, isScheduled ? startMs : undefined))
  ) {
    const message = 'A recording of this link at this time is already scheduled or running.';
    return answerError(409, 'ALREADY_SCHEDULED', message, 'link');
  }
  const script = sampleMeetings[world.meetings.list().length % sampleMeetings.length] ?? sampleMeetings[0];
  const meeting: Meeting = {
    id: world.makeId(),
    title: input.title ?? script.name,
    link: input.link,
    source: input.source ?? guessSource(input.link),
    localDateTime: input.local_date_time ?? new Date(nowMs).toISOString(),
    isScheduled,
    templateId: world.makeId(),
    templateName: input.template_name ?? 'default-meeting',
    webhookUrl: input.webhook_url,
    webhookSecret: input.webhook_secret,
    status: startMs > nowMs || input.cron !== undefined ? 'queued' : 'recording',
    isTranscriptEmpty: false,
    script,
  };
  world.meetings.put(meeting);
  world.observe({ kind: 'meeting_recorded', meetingId: meeting.id });
  return answerJson(200, {
    meeting_id: meeting.id,
    status: meeting.status,
    title: meeting.title,
    source: meeting.source,
    local_date_time: meeting.localDateTime,
  });
}

/** The same link at the same time; without a time, the same link while its bot is in the meeting. */
function isSameRecording(other: Meeting, link: string, startMs: number | undefined): boolean {
  if (other.link !== link || other.status === 'failed') return false;
  return startMs === undefined
    ? other.status === 'recording'
    : other.isScheduled && Date.parse(other.localDateTime) === startMs;
}

function addMonths(timeMs: number, months: number): number {
  const time = new Date(timeMs);
  return time.setUTCMonth(time.getUTCMonth() + months);
}
