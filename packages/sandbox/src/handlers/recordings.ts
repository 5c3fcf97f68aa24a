import {
  checkStart,
  formatProblem,
  nextCronRun,
  type OperationInput,
  type operations,
} from '@aftermeet/contract';

import type { AppState } from '../app-state.ts';
import { addMeeting, saveAndSchedule } from '../meeting-changes.ts';
import type { Meeting } from '../meetings.ts';
import {
  acknowledge,
  answerError,
  answerJson,
  answerText,
  answerUnknownMeeting,
  nameState,
  type ServiceAnswer,
} from '../service-answer.ts';
import { refuseTemplate } from './templates.ts';

type StartInput = OperationInput<typeof operations.recordings.start>;
type MeetingInput = OperationInput<typeof operations.recordings.stop>;

/** Sends a bot, in the shape of the option `startAnswer`. */
export function startRecording(app: AppState, input: StartInput): ServiceAnswer {
  const started = recordMeeting(app, input);
  if ('refusal' in started) return started.refusal;
  const { id, status, title, source, localDateTime } = started.meeting;
  const options = app.options.get();
  const json = {
    meeting_id: id,
    status: nameState(status, options),
    title,
    source,
    local_date_time: localDateTime,
  };
  switch (options.startAnswer) {
    case 'json':
      return answerJson(200, json);
    case 'nested':
      return answerJson(200, { data: json });
    case 'id_text':
      return answerText(200, id);
    default:
      return options.startAnswer satisfies never;
  }
}

/**
 * Records a meeting at once or, with a later time or a cron expression, queues it until its time. A series begins with
 * the first occurrence at or after `local_date_time`. `participants` are validated and not used.
 */
export function recordMeeting(
  app: AppState,
  input: StartInput,
): { readonly meeting: Meeting } | { readonly refusal: ServiceAnswer } {
  const nowMs = app.clock.now();
  const problem = checkStart(input.localDateTime, nowMs, { allowPast: true });
  if (problem !== undefined) {
    return { refusal: answerError(400, 'INVALID_REQUEST', formatProblem(problem), 'local_date_time') };
  }
  const localDateTime = findStart(input, nowMs);
  if (localDateTime === undefined) {
    const message = 'cron must be an expression that can fire.';
    return { refusal: answerError(400, 'INVALID_REQUEST', message, 'cron') };
  }
  const refusal = refuseTemplate(input.templateName);
  if (refusal !== undefined) return { refusal };
  if (app.meetings.list().some((other) => isSameRecording(other, input))) {
    const message = 'A recording of this link at this time is already scheduled or running.';
    return { refusal: answerError(409, 'ALREADY_SCHEDULED', message, 'link') };
  }
  const isLater = input.cron !== undefined || Date.parse(localDateTime) > nowMs;
  const meeting = addMeeting(app, {
    title: input.title,
    link: input.link,
    source: input.source ?? guessSource(input.link),
    localDateTime,
    isScheduled: input.localDateTime !== undefined,
    cron: input.cron,
    templateName: input.templateName,
    webhookUrl: input.webhookUrl,
    webhookSecret: input.webhookSecret,
    status: isLater ? 'queued' : 'recording',
  });
  return { meeting };
}

/** When the bot joins; in the words of the request where they name the time. Undefined when the series never takes place. */
function findStart({ localDateTime: time, cron }: StartInput, nowMs: number): string | undefined {
  if (cron === undefined) return time ?? new Date(nowMs).toISOString();
  const firstMs = nextCronRun(cron, time === undefined ? nowMs : Math.max(Date.parse(time), nowMs) - 1);
  return firstMs === undefined ? undefined : new Date(firstMs).toISOString();
}

/**
 * The same link at the same time; without a time, the same link while its bot is in the meeting. A series equals another
 * one with the same cron expression, and never a single recording (assumed).
 */
function isSameRecording(other: Meeting, { link, localDateTime: time, cron }: StartInput): boolean {
  if (other.link !== link || other.cron !== cron) return false;
  if (cron !== undefined) return true;
  if (other.status === 'failed') return false;
  return time === undefined
    ? other.status === 'recording'
    : other.isScheduled && Date.parse(other.localDateTime) === Date.parse(time);
}

const platformHosts: readonly (readonly [host: string, source: string])[] = [
  ['meet.google.com', 'gmeet'],
  ['zoom.us', 'zoom'],
  ['telemost.yandex.ru', 'yandextelemost'],
  ['telemost.360.yandex.ru', 'yandextelemost'],
  ['jazz.sber.ru', 'sberjazz'],
  ['salutejazz.ru', 'sberjazz'],
  ['trueconf.com', 'trueconf'],
  ['trueconf.ru', 'trueconf'],
  ['ktalk.ru', 'konturtalk'],
  ['teams.microsoft.com', 'msteams'],
  ['teams.live.com', 'msteams'],
  ['meet.jit.si', 'jitsi'],
  ['mts-link.ru', 'mtslink'],
  ['larksuite.com', 'lark'],
  ['feishu.cn', 'lark'],
];

/** The platform of a link without a source; `gmeet` for an unknown host (assumed). */
function guessSource(link: string): string {
  const { hostname } = new URL(link);
  const known = platformHosts.find(([host]) => hostname === host || hostname.endsWith(`.${host}`));
  return known?.[1] ?? 'gmeet';
}

/** The status of a meeting, in the shape of the option `statusAnswer`. */
export function getStatus(app: AppState, { meetingId }: MeetingInput): ServiceAnswer {
  app.lifecycle.poll(meetingId);
  const meeting = app.meetings.find(meetingId);
  if (meeting === undefined) return answerUnknownMeeting();
  const options = app.options.get();
  const status = nameState(meeting.status, options);
  switch (options.statusAnswer) {
    case 'text':
      return answerText(200, status);
    case 'json':
      return answerJson(200, { status });
    case 'nested':
      return answerJson(200, { data: { meeting_id: meetingId, status } });
    case 'map':
      return answerJson(200, { [meetingId]: status });
    default:
      return options.statusAnswer satisfies never;
  }
}

/** Ends a recording early: it is processed next. Another meeting stays as it is. */
export function stopRecording(app: AppState, input: MeetingInput): ServiceAnswer {
  const meeting = app.meetings.find(input.meetingId);
  if (meeting === undefined) return answerUnknownMeeting();
  if (meeting.status === 'recording') {
    saveAndSchedule(app, { ...meeting, status: 'processing', statusSinceMs: app.clock.now() });
  }
  return acknowledge(app.options.get(), answerText(200, 'OK'));
}

/**
 * Removes a recording that has not begun. Of a series, all later occurrences are cancelled: one that is under way goes
 * on, and the last report stays (assumed).
 */
export function cancelRecording(app: AppState, input: MeetingInput): ServiceAnswer {
  const meeting = app.meetings.find(input.meetingId);
  if (meeting === undefined) return answerUnknownMeeting();
  const options = app.options.get();
  if (meeting.status === 'queued') {
    app.meetings.remove(meeting.id);
    app.lifecycle.cancel(meeting.id);
  } else if (meeting.cron !== undefined) saveAndSchedule(app, { ...meeting, cron: undefined });
  else {
    const state = nameState(meeting.status, options);
    const message = `Only a scheduled recording can be cancelled; this meeting is ${state}.`;
    return answerError(400, 'NOT_SCHEDULED', message, 'meeting_id');
  }
  return acknowledge(options, answerText(200, 'OK'));
}
