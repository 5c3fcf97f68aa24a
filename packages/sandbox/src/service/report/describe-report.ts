import { findScript } from '../../content/find-script.ts';
import { formatClock, measureSeconds, timeScript, type TimedChapter } from '../../content/time-script.ts';
import { listSpeakers } from '../../content/write-block.ts';
import type { Meeting } from '../meeting.ts';
import type { Tag } from '../tags/tag-store.ts';
import { findMeetingTemplate, listReportBlocks, type ReportBlock } from './list-report-blocks.ts';

interface DescribedTemplate {
  readonly id: string;
  readonly name: string;
  readonly entities: readonly ReportBlock[];
}

const colors = ['#4f7cff', '#e0704a', '#2f9e6e', '#a45bd6'];

/** The body of the report in the observed shape: `{followup_v2, feedback, media_type, tags}`. */
export function describeReport(meeting: Meeting, tags: readonly Tag[]): object {
  return { followup_v2: describeFollowup(meeting), feedback: null, media_type: 'video', tags };
}

/** The report itself, without what surrounds it. */
export function describeFollowup(meeting: Meeting): object {
  return {
    id: meeting.id,
    name: meeting.title,
    date: meeting.localDateTime,
    source: meeting.source,
    status: meeting.status,
    is_transcript_empty: meeting.isTranscriptEmpty,
    ...(meeting.isTranscriptEmpty
      ? describeSilence()
      : describeContent(meeting, timeScript(findScript(meeting.scriptId)))),
  };
}

function describeSilence(): object {
  return { duration: 0, keywords: [], speakers: [], chapters: [], templates: [] };
}

function describeContent(meeting: Meeting, chapters: readonly TimedChapter[]): object {
  return {
    duration: measureSeconds(chapters),
    keywords: findScript(meeting.scriptId).keywords,
    speakers: listSpeakers(chapters).map((speaker, index) => ({
      id: `speaker_${String(index + 1)}`,
      speaker,
      color: colors[index % colors.length],
    })),
    chapters: chapters.map(({ name, startSeconds, endSeconds, lines }) => ({
      name,
      startSeconds,
      endSeconds,
      transcript: lines.map((line) => ({
        speaker: { speaker: line.speaker },
        text: line.text,
        timestamp: formatClock(line.startSeconds),
        startSeconds: line.startSeconds,
        endSeconds: line.endSeconds,
      })),
    })),
    templates: describeTemplates(meeting),
  };
}

/** The templates of a report and their blocks; none where nobody spoke. */
export function describeTemplates(meeting: Meeting): readonly DescribedTemplate[] {
  if (meeting.isTranscriptEmpty) return [];
  const chapters = timeScript(findScript(meeting.scriptId));
  return meeting.templates.map((template) => ({
    id: template.id,
    name: findMeetingTemplate(template).label,
    entities: listReportBlocks(meeting, template, chapters),
  }));
}
