import { toObject, toText } from '@aftermeet/pages';

import { loadLanguage, type ContentLanguage, type Phrases } from '../content/load-content.ts';
import {
  formatClock,
  listSpeakers,
  measureSeconds,
  timeScript,
  type TimedChapter,
} from '../content/time-script.ts';
import { writeBlock, type BlockText } from '../content/write-block.ts';
import { getBlockSource, listBlocks } from '../describe-report.ts';
import { findContent, type Meeting, type MeetingTemplate } from '../meetings.ts';

export interface ExportOptions {
  readonly includeReport: boolean;
  readonly includeTasks: boolean;
  /** Its blocks are exported; without a template, there is neither a report nor a list of tasks. */
  readonly template: MeetingTemplate | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

/**
 * A meeting as Markdown, in its language: facts, the report, the tasks and the transcript. The specification does not
 * show the content of a file.
 */
export function writeExport(meeting: Meeting, options: ExportOptions): string {
  const script = findContent(meeting);
  const { phrases } = loadLanguage(script.language);
  const chapters = meeting.isTranscriptEmpty ? [] : timeScript(script);
  const transcript = chapters.map((chapter) => writeChapter(chapter, phrases));
  const sections = [
    `# ${meeting.title.replaceAll(/\s+/g, ' ')}`,
    writeFacts(meeting, chapters, phrases, options.timeZone),
    ...writeBlocks(meeting, chapters, options),
    ...(chapters.length > 0 ? [`## ${phrases.facts.transcript}`, ...transcript] : [phrases.emptyTranscript]),
  ];
  return `${sections.join('\n\n')}\n`;
}

function writeFacts(
  meeting: Meeting,
  chapters: readonly TimedChapter[],
  { facts, colon, comma }: Phrases,
  timeZone: string,
): string {
  const speakers = listSpeakers(chapters).join(comma);
  const shown = [
    [facts.date, formatInZone(Date.parse(meeting.localDateTime), timeZone)],
    [facts.duration, formatClock(measureSeconds(chapters))],
    [facts.source, meeting.source],
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
  const { language } = findContent(meeting);
  const blocks = listBlocks(meeting, template, chapters);
  // Tasks belong to the meeting: a file has them even when the template does not show them.
  const tasks = blocks.find(({ name }) => name === 'tasks') ?? {
    name: 'tasks' as const,
    text: writeBlock('tasks', getBlockSource(meeting, chapters)),
  };
  const wanted = [
    ...(includeReport ? blocks.filter(({ name }) => name !== 'tasks') : []),
    ...(includeTasks ? [tasks] : []),
  ];
  return wanted.map(({ name, text }) => {
    const heading = loadLanguage(language).headings[name] ?? name;
    return `## ${heading}\n\n${writeBlockText(text, language)}`;
  });
}

/** A block as Markdown. A list and the `actions` of an object are written one by one. */
export function writeBlockText(text: BlockText, language: ContentLanguage): string {
  if (typeof text === 'string') return text;
  const { due } = loadLanguage(language).phrases;
  const actions = 'actions' in text ? text.actions : text;
  const items: readonly unknown[] = Array.isArray(actions) ? actions : [actions];
  return items.map((item) => `- ${typeof item === 'string' ? item : writeItem(item, due)}`).join('\n');
}

function writeItem(item: unknown, due: string): string {
  const { text, assignee, deadline } = toObject(item);
  const date = toText(deadline);
  const facts = `${toText(assignee)}${date === '' ? '' : due.replace('{date}', date)}`;
  return facts === '' ? toText(text) : `${toText(text)} (${facts})`;
}

function writeChapter({ name, lines }: TimedChapter, { colon }: Phrases): string {
  const spoken = lines.map(
    ({ startSeconds, speaker, text }) =>
      `**${formatClock(startSeconds)} ${speaker}${colon.trimEnd()}** ${text}`,
  );
  return [`### ${name}`, ...spoken].join('\n\n');
}

/** `2026-07-07 15:00 (Europe/Berlin)`: Swedish dates have this form. */
function formatInZone(timeMs: number, timeZone: string): string {
  const shown = new Date(timeMs).toLocaleString('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return `${shown} (${timeZone})`;
}

export interface ExportLine {
  /** Of a heading: 1 is the title. Otherwise 0. */
  readonly level: number;
  readonly text: string;
}

/** The lines of such a file for formats that have headings and nothing else: without empty lines and without bold text. */
export function listLines(markdown: string): readonly ExportLine[] {
  return markdown
    .replaceAll('**', '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [signs = ''] = /^#{1,6}(?= )/.exec(line) ?? [];
      return { level: signs.length, text: line.slice(signs.length).trim() };
    });
}
