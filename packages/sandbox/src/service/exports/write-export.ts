import { findHeading } from '../../content/block-headings.ts';
import { findScript } from '../../content/find-script.ts';
import type { ContentLanguage } from '../../content/languages.ts';
import { findPhrases, type Phrases } from '../../content/phrases.ts';
import { formatClock, measureSeconds, timeScript, type TimedChapter } from '../../content/time-script.ts';
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

/** A meeting as Markdown, in its language: what it was, the report, the tasks and the transcript. What the service puts in a file is not shown. */
export function writeExport(meeting: Meeting, options: ExportOptions): string {
  const script = findScript(meeting.scriptId);
  const phrases = findPhrases(script.language);
  const chapters = meeting.isTranscriptEmpty ? [] : timeScript(script);
  const transcript = chapters.map((chapter) => writeChapter(chapter, phrases));
  const sections = [
    `# ${escapeMarkdown(meeting.title)}`,
    writeFacts(meeting, chapters, phrases, options.timeZone),
    ...writeBlocks(meeting, chapters, options),
    ...(chapters.length > 0 ? [`## ${phrases.facts.transcript}`, ...transcript] : [phrases.nobodySpoke]),
  ];
  return `${sections.join('\n\n')}\n`;
}

function writeFacts(
  meeting: Meeting,
  chapters: readonly TimedChapter[],
  { facts, colon, comma }: Phrases,
  timeZone: string,
): string {
  const speakers = listSpeakers(chapters).map(escapeMarkdown).join(comma);
  const shown = [
    [facts.date, escapeMarkdown(formatInZone(Date.parse(meeting.localDateTime), timeZone))],
    [facts.duration, formatClock(measureSeconds(chapters))],
    [facts.source, escapeMarkdown(meeting.source)],
    ...(speakers === '' ? [] : [[facts.speakers, speakers]]),
  ];
  return shown.map(([name, value]) => `- ${name}${colon}${value}`).join('\n');
}

function writeBlocks(
  meeting: Meeting,
  chapters: readonly TimedChapter[],
  { includeReport, includeTasks, template }: ExportOptions,
): readonly string[] {
  if (template === undefined || meeting.isTranscriptEmpty) return [];
  const { language } = findScript(meeting.scriptId);
  const blocks = listReportBlocks(meeting, template, chapters);
  const tasks = blocks.find(({ name }) => name === 'tasks') ?? {
    name: 'tasks' as const,
    text: writeBlock('tasks', readBlockSource(meeting, chapters)),
  };
  const wanted = [
    ...(includeReport ? blocks.filter(({ name }) => name !== 'tasks') : []),
    // Tasks belong to the meeting: a template that does not show them has them in a file all the same.
    ...(includeTasks ? [tasks] : []),
  ];
  return wanted.map(
    ({ name, text }) => `## ${findHeading(language, name)}\n\n${writeBlockText(text, language)}`,
  );
}

/** A block as Markdown, which all but the tasks are already. */
export function writeBlockText(text: BlockText, language: ContentLanguage): string {
  if (typeof text === 'string') return text;
  const { due } = findPhrases(language);
  return text.actions
    .map((action) => {
      const until = action.deadline === null ? '' : due.replace('{date}', action.deadline);
      return `- ${escapeMarkdown(`${action.text} (${action.assignee}${until})`)}`;
    })
    .join('\n');
}

function writeChapter({ name, lines }: TimedChapter, { colon }: Phrases): string {
  const spoken = lines.map(
    ({ startSeconds, speaker, text }) =>
      `**${formatClock(startSeconds)} ${escapeMarkdown(speaker)}${colon.trimEnd()}** ${escapeMarkdown(text)}`,
  );
  return [`### ${escapeMarkdown(name)}`, ...spoken].join('\n\n');
}
