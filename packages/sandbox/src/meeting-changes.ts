import type { AppState } from './app-state.ts';
import type { ContentLanguage } from './content/load-content.ts';
import { chooseScript, findNextScript, findScript, isScript } from './content/scripts.ts';
import { measureRecordingMs } from './lifecycle.ts';
import { sandboxUser, UPLOAD_SOURCE, type Meeting, type MeetingTemplate } from './meetings.ts';
import { describeEvent } from './webhooks/describe-event.ts';

/** What a recording or an upload says about its meeting. */
export interface NewMeeting extends Pick<
  Meeting,
  'link' | 'source' | 'localDateTime' | 'isScheduled' | 'cron' | 'status' | 'webhookUrl' | 'webhookSecret'
> {
  /** Default: the title of the sample meeting. */
  readonly title: string | undefined;
  /** Default `default-meeting`. */
  readonly templateName: string | undefined;
}

/** Adds a meeting with the content of the next sample meeting. */
export function addMeeting(app: AppState, facts: NewMeeting): Meeting {
  const { title, templateName = 'default-meeting', ...rest } = facts;
  const scriptId = chooseScript(app.meetings.takeNumber());
  const meeting: Meeting = {
    ...rest,
    id: app.makeId(),
    title: title ?? findScript(scriptId).name,
    authorId: sandboxUser.id,
    templates: [{ id: app.makeId(), templateName, edits: [] }],
    tagIds: [],
    isTranscriptEmpty: false,
    scriptId,
    statusSinceMs: app.clock.now(),
  };
  saveAndSchedule(app, meeting);
  app.observe({ kind: 'meeting_recorded', meetingId: meeting.id });
  return meeting;
}

/** Saves a meeting whose status has changed, and plans its next change. */
export function saveAndSchedule(app: Pick<AppState, 'meetings' | 'lifecycle'>, meeting: Meeting): void {
  app.meetings.put(meeting);
  app.lifecycle.plan(meeting);
}

/** Moves a meeting one state on: queued, recording, processing, ready. A series that is over starts again. */
export function moveMeeting(app: AppState, meeting: Meeting): void {
  const nowMs = app.clock.now();
  switch (meeting.status) {
    case 'recording':
      saveAndSchedule(app, { ...meeting, status: 'processing', statusSinceMs: nowMs });
      return;
    case 'processing':
      completeMeeting(app, meeting.id, {});
      return;
    case 'queued':
    case 'new':
    case 'processed':
    case 'failed':
      if (meeting.cron !== undefined) saveAndSchedule(app, startOccurrence(meeting, nowMs, app.makeId));
      else if (meeting.status === 'queued') {
        saveAndSchedule(app, { ...meeting, status: 'recording', statusSinceMs: nowMs });
      }
  }
}

export interface Completion {
  /** Default false. */
  readonly isTranscriptEmpty?: boolean | undefined;
  /** Default: the language of the sample meeting. */
  readonly language?: ContentLanguage | undefined;
  /** The content: an id of `content/scripts.ts`, such as `long/6000`. It wins over the language. */
  readonly scriptId?: string | undefined;
}

/** The new status of the meeting and, when it has a receiver, the delivery that is now under way. */
export interface Finish {
  readonly meetingId: string;
  readonly status: Meeting['status'];
  readonly deliveryId?: string;
}

/**
 * Ends processing well, from any state: the report can be read and `meeting.completed` is sent. The plan for the meeting
 * is cancelled. Undefined for an unknown meeting. Throws `RangeError` for an unknown script.
 */
export function completeMeeting(
  app: AppState,
  meetingId: string,
  { isTranscriptEmpty = false, language, scriptId }: Completion,
): Finish | undefined {
  const meeting = app.meetings.find(meetingId);
  if (meeting === undefined) return undefined;
  const held = startNextOccurrence(app, meeting);
  const spoken =
    scriptId !== undefined
      ? withScript(held, scriptId)
      : language === undefined
        ? held
        : withLanguage(app, held, language);
  const done: Meeting = { ...spoken, status: 'new', isTranscriptEmpty, areMinutesUsed: true };
  if (held.areMinutesUsed !== true) app.account.useMinutes(countMinutes(done));
  const reportUrl = `${app.baseUrl()}/api/video/report?meeting_id=${encodeURIComponent(meetingId)}`;
  return finish(app, done, 'meeting.completed', { report_url: reportUrl });
}

export interface Failure {
  /** Free text, or a key of `failureReasons`. */
  readonly reason?: string | undefined;
}

/** The texts are free text of the service (as observed); these are assumed. */
const failureReasons = {
  bot_not_admitted: 'The bot was not admitted to the meeting.',
  meeting_never_started: 'The meeting never started: the bot left the waiting room.',
  no_audio: 'Nothing was heard in the meeting.',
  no_audio_track: 'The file has no audio track.',
} as const;

/** Ends processing badly, from any state: `meeting.failed` is sent. A later completion is possible. */
export function failMeeting(app: AppState, meetingId: string, failure: Failure): Finish | undefined {
  const meeting = app.meetings.find(meetingId);
  if (meeting === undefined) return undefined;
  const given = failure.reason ?? defaultFailure(meeting);
  const reason = Object.entries(failureReasons).find(([word]) => word === given)?.[1] ?? given;
  const done: Meeting = {
    ...startNextOccurrence(app, meeting),
    status: 'failed',
    isTranscriptEmpty: true,
    failureReason: reason,
  };
  return finish(app, done, 'meeting.failed', { reason });
}

export function defaultFailure({ source }: Pick<Meeting, 'source'>): string {
  return failureReasons[source === UPLOAD_SOURCE ? 'no_audio_track' : 'bot_not_admitted'];
}

function finish(
  app: AppState,
  ended: Meeting,
  event: 'meeting.completed' | 'meeting.failed',
  outcome: object,
): Finish {
  const done: Meeting = { ...ended, statusSinceMs: app.clock.now() };
  saveAndSchedule(app, done);
  app.observe({
    kind: event === 'meeting.completed' ? 'meeting_completed' : 'meeting_failed',
    meetingId: done.id,
  });
  return sendEvent(app, done, event, { ...describeFacts(done), ...outcome });
}

function describeFacts({ title, isTranscriptEmpty }: Meeting): object {
  return { title, is_transcript_empty: isTranscriptEmpty };
}

export interface Announcement {
  /** Of any kind, also an unknown one; it goes into a header. */
  readonly event: string;
  /** Default: the title, and whether the transcript is empty. */
  readonly data?: object | undefined;
}

/** Sends an event about a meeting, which stays as it is; undefined for an unknown meeting. */
export function announceEvent(
  app: AppState,
  meetingId: string,
  { event, data }: Announcement,
): Finish | undefined {
  const meeting = app.meetings.find(meetingId);
  return meeting && sendEvent(app, meeting, event, data ?? describeFacts(meeting));
}

/** Sends an event to the receiver of the meeting, if it has one. */
function sendEvent(app: AppState, meeting: Meeting, event: string, data: object): Finish {
  const { id: meetingId, status, webhookUrl } = meeting;
  if (webhookUrl === undefined) return { meetingId, status };
  const deliveryId = app.makeId();
  const body = describeEvent(event, meetingId, data, app.clock.now(), app.options.get());
  app.sender.send({
    id: deliveryId,
    meetingId,
    event,
    url: webhookUrl,
    secret: meeting.webhookSecret,
    body: JSON.stringify(body),
  });
  return { meetingId, status, deliveryId };
}

/** A series that is not under way ends an occurrence that begins now. One that failed can still end well. */
function startNextOccurrence(app: AppState, meeting: Meeting): Meeting {
  const isOver = meeting.status === 'queued' || meeting.status === 'new' || meeting.status === 'processed';
  if (meeting.cron === undefined || !isOver) return meeting;
  return startOccurrence(meeting, app.clock.now(), app.makeId);
}

/**
 * A series whose bot joins at `startMs`. All occurrences share the id of the meeting, and each replaces the report (as
 * observed): the content is another one, and edits and generated templates of the last one are gone.
 */
function startOccurrence(series: Meeting, startMs: number, makeId: () => string): Meeting {
  const templateName = series.templates[0]?.templateName ?? 'default-meeting';
  const template: MeetingTemplate = { id: makeId(), templateName, edits: [] };
  const content = { templates: [template], scriptId: findNextScript(series.scriptId) };
  return {
    ...series,
    ...(series.status === 'queued' ? {} : content),
    localDateTime: new Date(startMs).toISOString(),
    status: 'recording',
    statusSinceMs: startMs,
    isTranscriptEmpty: false,
    areMinutesUsed: false,
    failureReason: undefined,
  };
}

const MINUTE_MS = 60_000;

/** The minutes that a completed meeting takes off the plan: its duration, rounded up; none for an empty transcript (assumed). */
function countMinutes(meeting: Meeting): number {
  return meeting.isTranscriptEmpty ? 0 : Math.ceil(measureRecordingMs(meeting) / MINUTE_MS);
}

/** The meeting with other content. A title that came from the sample meeting changes with it. */
function withScript(meeting: Meeting, scriptId: string): Meeting {
  if (!isScript(scriptId)) {
    throw new RangeError(
      `There is no sample meeting ${scriptId}; launch-review, de/retrospective and long/6000 are some.`,
    );
  }
  const hasOwnTitle = meeting.title !== findScript(meeting.scriptId).name;
  return { ...meeting, scriptId, title: hasOwnTitle ? meeting.title : findScript(scriptId).name };
}

function withLanguage(app: AppState, meeting: Meeting, language: ContentLanguage): Meeting {
  if (meeting.scriptId.startsWith(`${language}/`)) return meeting;
  const number = app.meetings.list().findIndex(({ id }) => id === meeting.id);
  return withScript(meeting, chooseScript(number, language));
}
