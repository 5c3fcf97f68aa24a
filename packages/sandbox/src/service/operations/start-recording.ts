import { checkStart, type OperationInput, type operations } from '@aftermeet/contract';

import { findNextRun } from '../life/cron-runs.ts';
import { makeMeeting } from '../life/make-meeting.ts';
import type { Meeting } from '../meeting.ts';
import { refuseTemplate } from '../report/refuse-template.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';
import { guessSource } from './guess-source.ts';

type Input = OperationInput<typeof operations.recordings.start>;

/**
 * Sends a bot, at once or (with a later time or a cron expression) queued until its time. A series begins with the
 * first occurrence at or after `local_date_time`. Nobody is written to: `participants` are read and left at that.
 */
export function startRecording(world: SandboxWorld, input: Input): ServiceAnswer {
  const nowMs = world.clock.now();
  const problem = checkStart(input.local_date_time, nowMs);
  if (problem !== undefined) {
    return answerError(400, 'INVALID_REQUEST', `${problem.field} ${problem.message}`, problem.field);
  }
  const localDateTime = findStart(input, nowMs);
  if (localDateTime === undefined) {
    const message = 'cron must be an expression that can fire.';
    return answerError(400, 'INVALID_REQUEST', message, 'cron');
  }
  const refusal = refuseTemplate(world, input.template_name);
  if (refusal !== undefined) return refusal;
  if (world.meetings.list().some((other) => isSameRecording(other, input))) {
    const message = 'A recording of this link at this time is already scheduled or running.';
    return answerError(409, 'ALREADY_SCHEDULED', message, 'link');
  }
  const isLater = input.cron !== undefined || Date.parse(localDateTime) > nowMs;
  const meeting = makeMeeting(world, {
    title: input.title,
    link: input.link,
    source: input.source ?? guessSource(input.link),
    localDateTime,
    isScheduled: input.local_date_time !== undefined,
    cron: input.cron,
    templateName: input.template_name,
    webhookUrl: input.webhook_url,
    webhookSecret: input.webhook_secret,
    status: isLater ? 'queued' : 'recording',
  });
  return answerJson(200, {
    meeting_id: meeting.id,
    status: meeting.status,
    title: meeting.title,
    source: meeting.source,
    local_date_time: meeting.localDateTime,
  });
}

/** When the bot goes in, in the recorder's own words where they name the time; undefined when the series never comes. */
function findStart({ local_date_time: time, cron }: Input, nowMs: number): string | undefined {
  if (cron === undefined) return time ?? new Date(nowMs).toISOString();
  const firstMs = findNextRun(cron, time === undefined ? nowMs : Math.max(Date.parse(time), nowMs) - 1);
  return firstMs === undefined ? undefined : new Date(firstMs).toISOString();
}

/**
 * The same link at the same time; without a time, the same link while its bot is in the meeting. A series is the
 * same as another by the same cron expression, and never the same as a single recording (assumed).
 */
function isSameRecording(other: Meeting, { link, local_date_time: time, cron }: Input): boolean {
  if (other.link !== link || other.cron !== cron) return false;
  if (cron !== undefined) return true;
  if (other.status === 'failed') return false;
  return time === undefined
    ? other.status === 'recording'
    : other.isScheduled && Date.parse(other.localDateTime) === Date.parse(time);
}
