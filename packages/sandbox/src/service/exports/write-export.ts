import { formatClock, timeScript, type TimedChapter } from '../../content/time-script.ts';
import { listSpeakers, writeBlock, type BlockText } from '../../content/write-block.ts';
import type { Meeting, MeetingTemplate } from '../meeting.ts';
import { listReportBlocks, readBlockSource } from '../report/list-report-blocks.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import { formatInZone } from './format-in-zone.ts';

export interface ExportOptions {
  readonly includeReport: boolean;
  readonly includeTasks: boolean;
  /** Whose blocks are exported; without one, there is neither a report nor a list of tasks. */
  readonly template: MeetingTemplate | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

/** A meeting as Markdown: what it was, the report, the tasks and the transcript. What the service puts in a file is not shown. */
export function writeExport(meeting: Meeting, options: ExportOptions): string {
  const chapters = meeting.isTranscriptEmpty ? [] : timeScript(meeting.script);
  const sections = [
    `# ${escapeMarkdown(meeting.title)}`,
    writeFacts(meeting, chapters, options.timeZone),
    ...writeBlocks(meeting, chapters, options),
    ...(chapters.length > 0 ? ['## Transcript', ...chapters.map(writeChapter)] : ['Nobody spoke.']),
  ];
  return `${sections.join('\n\n')}\n`;
}

function writeFacts(meeting: Meeting, chapters: readonly TimedChapter[], timeZone: string): string {
  const speakers = listSpeakers(chapters).map(escapeMarkdown).join(', ');
  return [
    `- Date: ${escapeMarkdown(formatInZone(Date.parse(meeting.localDateTime), timeZone))}`,
    `- Duration: ${formatClock(chapters.at(-1)?.endSeconds ?? 0)}`,
    `- Source: ${escapeMarkdown(meeting.source)}`,
    ...(speakers === '' ? [] : [`- Speakers: ${speakers}`]),
  ].join('\n');
}

function writeBlocks(
  meeting: Meeting,
  chapters: readonly TimedChapter[],
  { includeReport, includeTasks, template }: ExportOptions,
): readonly string[] {
  if (template === undefined || meeting.isTranscriptEmpty) return [];
  const blocks = listReportBlocks(meeting, template, chapters);
  const tasks = blocks.find(({ name }) => name === 'tasks') ?? {
    name: 'tasks',
    text: writeBlock('tasks', readBlockSource(meeting, chapters)),
  };
  const wanted = [
    ...(includeReport ? blocks.filter(({ name }) => name !== 'tasks') : []),
    // Tasks belong to the meeting: a template that does not show them has them in a file all the same.
    ...(includeTasks ? [tasks] : []),
  ];
  return wanted.map(({ name, text }) => `## ${writeHeading(name)}\n\n${writeBlockText(text)}`);
}

/** `med-anamnesis` becomes `Med anamnesis`. */
function writeHeading(blockName: string): string {
  const words = blockName.replaceAll(/[_-]/g, ' ');
  return escapeMarkdown(words.charAt(0).toUpperCase() + words.slice(1));
}

/** A block as Markdown, which all but the tasks are already. */
export function writeBlockText(text: BlockText): string {
  if (typeof text === 'string') return text;
  return text.actions
    .map((action) => {
      const due = action.deadline === null ? '' : `, due ${action.deadline}`;
      return `- ${escapeMarkdown(`${action.text} (${action.assignee}${due})`)}`;
    })
    .join('\n');
}

function writeChapter({ name, lines }: TimedChapter): string {
  const spoken = lines.map(
    ({ startSeconds, speaker, text }) =>
      `**${formatClock(startSeconds)} ${escapeMarkdown(speaker)}:** ${escapeMarkdown(text)}`,
  );
  return [`### ${escapeMarkdown(name)}`, ...spoken].join('\n\n');
}
