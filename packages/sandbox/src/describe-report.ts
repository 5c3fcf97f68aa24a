import { listGivenBlocks } from './content/given-content.ts';
import { findReportTemplate, type ReportTemplate } from './content/report-templates.ts';
import {
  formatClock,
  listSpeakers,
  measureSeconds,
  timeScript,
  type TimedChapter,
} from './content/time-script.ts';
import { writeBlock, type BlockSource, type BlockText } from './content/write-block.ts';
import { findContent, type Meeting, type MeetingTemplate } from './meetings.ts';
import { nameState } from './service-answer.ts';
import type { ServiceOptions } from './service-options.ts';

const colors = ['#4f7cff', '#e0704a', '#2f9e6e', '#a45bd6'];

/** The report of a meeting in the observed shape, as a field of several answers. */
export function describeFollowup(meeting: Meeting, options: Pick<ServiceOptions, 'stateWords'>): object {
  return {
    id: meeting.id,
    name: meeting.title,
    date: meeting.localDateTime,
    source: meeting.source,
    status: nameState(meeting.status, options),
    is_transcript_empty: meeting.isTranscriptEmpty,
    ...(meeting.isTranscriptEmpty
      ? { duration: 0, keywords: [], participants: [], speakers: [], chapters: [], templates: [] }
      : describeContent(meeting)),
  };
}

function describeContent(meeting: Meeting): object {
  const script = findContent(meeting);
  const chapters = timeScript(script);
  return {
    duration: measureSeconds(chapters),
    keywords: script.keywords,
    participants: script.participants,
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

export interface ReportBlock {
  readonly name: string;
  readonly text: BlockText;
}

interface DescribedTemplate {
  readonly id: string;
  readonly name: string;
  readonly entities: readonly ReportBlock[];
}

/** The templates of a report with their blocks; none for an empty transcript. */
export function describeTemplates(meeting: Meeting): readonly DescribedTemplate[] {
  if (meeting.isTranscriptEmpty) return [];
  const chapters = timeScript(findContent(meeting));
  return meeting.templates.map((template) => ({
    id: template.id,
    name: findMeetingTemplate(template).label,
    entities: listBlocks(meeting, template, chapters),
  }));
}

/**
 * The blocks of one template of a report; an edited one has its new text. Given content is the first template, and its
 * blocks are used in every other one.
 */
export function listBlocks(
  meeting: Meeting,
  template: MeetingTemplate,
  chapters: readonly TimedChapter[],
): readonly ReportBlock[] {
  const source = getBlockSource(meeting, chapters);
  const given = meeting.content === undefined ? [] : listGivenBlocks(meeting.content);
  const isGiven = meeting.content !== undefined && meeting.templates[0]?.id === template.id;
  const blocks = isGiven
    ? given
    : findMeetingTemplate(template).blocks.map(
        (name) => given.find((block) => block.name === name) ?? { name, text: writeBlock(name, source) },
      );
  return blocks.map(({ name, text }) => ({
    name,
    text: template.edits.find(({ entityName }) => entityName === name)?.text ?? text,
  }));
}

export function getBlockSource(meeting: Meeting, chapters: readonly TimedChapter[]): BlockSource {
  return { script: findContent(meeting), chapters, startMs: Date.parse(meeting.localDateTime) };
}

/** A saved meeting may have a template that this version does not know: then it has the default blocks. */
export function findMeetingTemplate({ templateName }: MeetingTemplate): ReportTemplate {
  return (
    findReportTemplate(templateName) ?? { label: templateName, blocks: ['summary', 'decisions', 'tasks'] }
  );
}
