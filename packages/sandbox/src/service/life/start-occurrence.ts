import type { Meeting, MeetingTemplate } from '../meeting.ts';
import { nextScript } from './next-script.ts';

/**
 * A series whose bot goes in at `startMs`. All occurrences share the meeting's id, and each replaces the report (as
 * observed): other words are spoken, and what was rewritten or generated for the one before is gone.
 */
export function startOccurrence(series: Meeting, startMs: number, makeId: () => string): Meeting {
  return {
    ...series,
    ...(series.status === 'queued' ? {} : renewContent(series, makeId)),
    localDateTime: new Date(startMs).toISOString(),
    status: 'recording',
    statusSinceMs: startMs,
    isTranscriptEmpty: false,
    areMinutesUsed: false,
    failureReason: undefined,
  };
}

function renewContent(series: Meeting, makeId: () => string): Pick<Meeting, 'templates' | 'scriptId'> {
  const templateName = series.templates[0]?.templateName ?? 'default-meeting';
  const template: MeetingTemplate = { id: makeId(), templateName, edits: [] };
  return { templates: [template], scriptId: nextScript(series.scriptId) };
}
