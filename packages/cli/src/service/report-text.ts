import type { Person, Report, ReportBlock, ReportTemplate, Segment, Task } from '@aftermeet/client';

import { formatDuration, formatMoment, type Paint } from '../terminal/format.ts';
import { cleanLine, cleanText, pasteWord, quoteWord } from '../terminal/text.ts';

/** A report as Markdown: summary, decisions, tasks. */
export function formatReport(report: Report): string {
  const { meetingId, startedAt, durationSeconds, source, summary } = report;
  const facts = [
    startedAt === undefined ? undefined : `${formatMoment(startedAt)} UTC`,
    durationSeconds === undefined ? undefined : formatDuration(durationSeconds),
    source,
    `meeting ${meetingId}`,
  ];
  const people =
    report.participants.length > 0
      ? report.participants.map(describePerson)
      : report.speakers.map(({ name }) => name);
  return joinSections([
    `# ${cleanLine(report.title)}`,
    joinPresent(facts, ', '),
    formatSection('People', people.map(cleanLine).join(', ')),
    formatSection('Summary', cleanMarkdown(summary ?? '')),
    formatSection('Decisions', formatList(report.decisions)),
    formatSection('Tasks', formatList(report.tasks.map(describeTask))),
    formatSection('Could not be read', formatList(report.warnings)),
  ]);
}

/** Markdown for a terminal: headings are bold, lists have bullets. */
export async function renderMarkdown(markdown: string, paint: Paint): Promise<string> {
  const { parseText, plainText } = await import('@aftermeet/recipes');
  return `${plainText(parseText(markdown), { strong: paint.strong, code: paint.dim })}\n`;
}

function joinSections(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** Foreign Markdown below a heading of ours: its own headings are two levels lower. */
function cleanMarkdown(text: string): string {
  return cleanText(text)
    .trim()
    .replaceAll(/^(?=#{1,4} )/gm, '##');
}

/** A transcript, one line a turn. */
export function formatTranscript(transcript: readonly Segment[]): string {
  return transcript.map((segment) => `${describeTurn(segment)}\n`).join('');
}

function describeTurn({ speaker, text, startSeconds }: Segment): string {
  const time = startSeconds === undefined ? '' : `[${formatPosition(startSeconds)}] `;
  return `${time}${speaker === undefined ? '' : `${cleanLine(speaker)}: `}${cleanLine(text)}`;
}

/** `MM:SS`, or `HH:MM:SS`. */
function formatPosition(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return parts
    .slice(parts[0] === 0 ? 1 : 0)
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** What else there is of a report, and the command that shows it. */
export function describeRest({ meetingId, transcript, templates }: Report): string {
  const id = pasteWord(meetingId);
  return [
    transcript.length === 0
      ? 'There is no transcript.'
      : `Transcript (${transcript.length} turns): aftermeet report get ${id} --transcript`,
    ...(templates.length === 0 ? [] : [`All its blocks: aftermeet report get ${id} --json`]),
    ...(templates.length < 2 ? [] : [`Its templates: ${describeTemplates(id, templates)}`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** All templates, because the parts shown above may come from any of them. */
function describeTemplates(id: string, templates: Report['templates']): string {
  const names = [...new Set(templates.map(({ name }) => cleanLine(name)))];
  const example = quoteWord(names.at(-1) ?? '');
  return `${names.join(', ')}. One of them: aftermeet report get ${id} --template ${example}`;
}

/** A heading and what is below it; nothing for an empty text. */
function formatSection(title: string, text: string): string {
  return text === '' ? '' : `## ${title}\n\n${text}`;
}

function formatList(items: readonly string[]): string {
  return items.map((item) => `- ${cleanLine(item)}`).join('\n');
}

function describePerson({ name, email }: Person): string {
  if (name === undefined) return email ?? '';
  return email === undefined ? name : `${name} <${email}>`;
}

function describeTask({ text, owner, due, state }: Task): string {
  const facts = joinPresent([state, owner, due === undefined ? undefined : `due ${due}`], ', ');
  return facts === '' ? text : `${text} (${facts})`;
}

function joinPresent(texts: readonly (string | undefined)[], separator: string): string {
  return texts
    .filter((text) => text !== undefined)
    .map(cleanLine)
    .join(separator);
}

/**
 * The templates of a report with this id, or else with this name. Case is ignored and `-` stands for a blank: `sales-meeting`
 * finds `Sales Meeting`. Several may share a name.
 */
export function findTemplates({ templates }: Report, wanted: string): readonly ReportTemplate[] {
  const byId = templates.filter(({ id }) => id === wanted);
  return byId.length > 0 ? byId : templates.filter(({ name }) => foldName(name) === foldName(wanted));
}

/** The blocks of a template as Markdown, with the names that `report edit` takes. */
export function formatTemplate({ name, id, blocks }: ReportTemplate): string {
  return joinSections([
    `# ${cleanLine(name)}`,
    id === undefined ? 'without an id' : `template id ${cleanLine(id)}`,
    ...blocks.map(formatBlock),
  ]);
}

/** The templates of a report with their ids, one a line. */
export function listTemplates({ templates }: Report): string {
  return templates
    .map(({ name, id }) => `  ${cleanLine(name)}${id === undefined ? '' : ` (template id ${cleanLine(id)})`}`)
    .join('\n');
}

function formatBlock({ name, text }: ReportBlock): string {
  const shown = cleanMarkdown(text);
  return formatSection(cleanLine(name), shown === '' ? '(empty)' : shown);
}

function foldName(name: string): string {
  return cleanLine(name)
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-');
}
