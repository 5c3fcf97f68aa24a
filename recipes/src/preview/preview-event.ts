import type { Report } from '@aftermeet/client';
import { CronExpressionParser } from 'cron-parser';

import type { BoundRecipe, MeetingEvent, RecipeSchedule } from '../recipe.ts';

interface PreviewedMeeting {
  readonly meetingId: string;
  readonly report?: Report;
  readonly eventKind: string;
  readonly nowMs: number;
}

/** The event as the service would tell it of the meeting, as far as its report says so. */
export function writePreviewEvent(
  { meetingId, report, eventKind, nowMs }: PreviewedMeeting,
  endpoint: string,
): MeetingEvent {
  return {
    kind: eventKind,
    meetingId,
    occurrence: findEnd(report, nowMs),
    endpoint,
    receivedAt: new Date(nowMs).toISOString(),
    ...(report === undefined ? {} : { title: report.title }),
    ...(eventKind === 'meeting.completed' && report !== undefined
      ? { isTranscriptEmpty: report.isTranscriptEmpty }
      : {}),
    ...(eventKind === 'meeting.failed' ? { reason: '(what the service says of it)' } : {}),
  };
}

/** The moment at which a recipe that runs by the clock would tell of the meeting, and the one before. */
export function writeDueEvent(
  { name }: Pick<BoundRecipe, 'name'>,
  { cron, timeZone = 'UTC' }: RecipeSchedule,
  { report, nowMs }: PreviewedMeeting,
): MeetingEvent {
  const currentDate = new Date(findEnd(report, nowMs));
  const due = CronExpressionParser.parse(cron, { currentDate, tz: timeZone }).next().toDate();
  const before = CronExpressionParser.parse(cron, { currentDate: due, tz: timeZone }).prev().toDate();
  return {
    kind: 'schedule.due',
    meetingId: '',
    occurrence: due.toISOString(),
    endpoint: 'default',
    receivedAt: due.toISOString(),
    recipe: name,
    since: before.toISOString(),
  };
}

function findEnd(report: Report | undefined, nowMs: number): string {
  const endMs = Date.parse(report?.endedAt ?? report?.startedAt ?? '');
  return new Date(Number.isNaN(endMs) ? nowMs : endMs).toISOString();
}
