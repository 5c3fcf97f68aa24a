import { checkStart, type OperationInput, type operations } from '@aftermeet/contract';

import { makeMeeting } from '../make-meeting.ts';
import type { Meeting } from '../meeting.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';
import { guessSource } from './guess-source.ts';

type Input = OperationInput<typeof operations.recordings.start>;

/** Sends a bot, at once or (with a later time or a cron expression) queued until somebody moves the meeting on. */
export function startRecording(world: SandboxWorld, input: Input): ServiceAnswer {
  const nowMs = world.clock();
  const problem = checkStart(input.local_date_time, nowMs);
  if (problem !== undefined) {
    return answerError(400, 'INVALID_REQUEST', `${problem.field} ${problem.message}`, problem.field);
  }
  const startMs = input.local_date_time === undefined ? nowMs : Date.parse(input.local_date_time);
  if (world.meetings.list().some((other) => isSameRecording(other, input))) {
    const message = 'A recording of this link at this time is already scheduled or running.';
    return answerError(409, 'ALREADY_SCHEDULED', message, 'link');
  }
  const meeting = makeMeeting(world, {
    title: input.title,
    link: input.link,
    source: input.source ?? guessSource(input.link),
    localDateTime: input.local_date_time ?? new Date(nowMs).toISOString(),
    isScheduled: input.local_date_time !== undefined,
    cron: input.cron,
    templateName: input.template_name,
    webhookUrl: input.webhook_url,
    webhookSecret: input.webhook_secret,
    status: startMs > nowMs || input.cron !== undefined ? 'queued' : 'recording',
  });
  return answerJson(200, {
    meeting_id: meeting.id,
    status: meeting.status,
    title: meeting.title,
    source: meeting.source,
    local_date_time: meeting.localDateTime,
  });
}

/**
 * The same link at the same time; without a time, the same link while its bot is in the meeting. A series is the
 * same as another by the same cron expression, and never the same as a single recording (assumed).
 */
function isSameRecording(other: Meeting, { link, local_date_time: time, cron }: Input): boolean {
  if (other.link !== link || other.status === 'failed' || other.cron !== cron) return false;
  if (cron !== undefined) return true;
  return time === undefined
    ? other.status === 'recording'
    : other.isScheduled && Date.parse(other.localDateTime) === Date.parse(time);
}
