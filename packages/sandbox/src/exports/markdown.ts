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
    `# ${escapeMarkdown(meeting.title)}`,
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
  return escapeMarkdown(facts === '' ? toText(text) : `${toText(text)} (${facts})`);
}

function writeChapter({ name, lines }: TimedChapter, { colon }: Phrases): string {
  const spoken = lines.map(
    ({ startSeconds, speaker, text }) =>
      `**${formatClock(startSeconds)} ${escapeMarkdown(speaker)}${colon.trimEnd()}** ${escapeMarkdown(text)}`,
  );
  return [`### ${escapeMarkdown(name)}`, ...spoken].join('\n\n');
}

/** `2026-07-07 15:00 (Europe/Berlin)`: the same in every version of Node. */
function formatInZone(timeMs: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(timeMs);
  const read = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  return `${read('year')}-${read('month')}-${read('day')} ${read('hour')}:${read('minute')} (${timeZone})`;
}

/** Marks within a line, `_` only outside of words. */
const marks = /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu;

/** Markdown that shows exactly this text, on one line. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(marks, (mark) => `\\${mark}`)
    .replace(/^(\d+)(?=[.)] )/, '$1\\')
    .replace(/^(?=[-+#>=])/, '\\');
}

interface TextRun {
  readonly text: string;
  readonly isBold: boolean;
}

export interface MarkdownBlock {
  readonly kind: 'heading' | 'bullet' | 'paragraph';
  /** Of a heading: 1 is the title. Otherwise 0. */
  readonly level: number;
  readonly runs: readonly TextRun[];
}

/**
 * Parses the Markdown that the sandbox writes: headings, bullets, paragraphs, bold text and escapes. Each row of a table
 * is a paragraph. Everything else, which an edited block can hold, is shown as it was typed.
 */
export function parseMarkdown(text: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.length > 0) {
      blocks.push({ kind: 'paragraph', level: 0, runs: parseRuns(paragraph.join(' ')) });
    }
    paragraph = [];
  };
  for (const line of text.split(/\r\n|[\r\n\u2028\u2029]/)) {
    const [, signs, heading] = /^(#{1,6})[ \t]+(.*)$/s.exec(line) ?? [];
    const [, bullet] = /^\s*[-*+][ \t]+(.*)$/s.exec(line) ?? [];
    const isTableRow = line.startsWith('|');
    if (heading !== undefined || bullet !== undefined || line.trim() === '' || isTableRow) endParagraph();
    if (heading !== undefined) {
      blocks.push({ kind: 'heading', level: signs?.length ?? 1, runs: parseRuns(heading) });
    } else if (bullet !== undefined) blocks.push({ kind: 'bullet', level: 0, runs: parseRuns(bullet) });
    else if (line.trim() !== '') paragraph.push(line.trim());
  }
  endParagraph();
  return blocks;
}

const pieces = /\\([!-/:-@[-`{-~])|\*\*|[^\\*]+|[\\*]/g;

function parseRuns(line: string): readonly TextRun[] {
  const runs: TextRun[] = [];
  let text = '';
  let isBold = false;
  const endRun = (): void => {
    if (text !== '') runs.push({ text, isBold });
    text = '';
  };
  for (const [piece, escaped] of line.matchAll(pieces)) {
    if (piece === '**') {
      endRun();
      isBold = !isBold;
    } else text += escaped ?? piece;
  }
  endRun();
  return runs;
}
