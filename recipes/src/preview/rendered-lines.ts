import type { Rendered } from '../recipe.ts';
import { type LooseParts, readList, readParts, readText } from './loose-parts.ts';
import { listNotionLines } from './notion-lines.ts';
import { listSlackLines } from './slack-lines.ts';

/** What a destination is given, as lines of text for a terminal: made of the message itself, whatever it holds. */
export function listRenderedLines(rendered: Rendered): readonly string[] {
  switch (rendered.destination) {
    case 'slack':
      return listSlackLines(rendered.message);
    case 'notion':
      return listPageLines(readParts(rendered.message));
    case 'email':
      return listMailLines(readParts(rendered.message));
    case 'http':
      return listJsonLines(readText(readParts(rendered.message)['body']));
    case 'folder':
      return listFacts({ ...rendered.message.input, meeting_id: '', tags: rendered.message.tags });
    case 'service':
    default:
      return [
        `The report is made again with the template ${rendered.message.template}.`,
        `Then the recipes of the endpoint ${rendered.message.endpoint} go on.`,
      ];
  }
}

function listPageLines({ title, fields, blocks }: LooseParts): readonly string[] {
  const facts = Object.entries(readParts(fields)).map(
    ([name, value]) => `${name}: ${readField(value).replaceAll(/\s+/g, ' ')}`,
  );
  return [`Title: ${readText(title)}`, ...facts, '', ...listNotionLines(blocks)];
}

/** What a property is filled with, in whichever shape the property has it. */
function readField(value: unknown): string {
  const { text, start, end, words, number, names, url, name, title } = readParts(value);
  const dates = [readText(start), readText(end)].filter((date) => date !== '').join(' – ') || undefined;
  return writeValue(text ?? dates ?? words ?? number ?? names ?? name ?? title ?? url);
}

function listMailLines({ subject, text, attach, calendar }: LooseParts): readonly string[] {
  const dates = readList(calendar).map(({ date, summary }) => `${readText(date)} ${readText(summary)}`);
  return [
    `Subject: ${readText(subject)}`,
    ...listFacts({ attached: attach, calendar: dates }),
    '',
    ...readText(text).split('\n'),
  ];
}

function listJsonLines(body: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(body);
    return JSON.stringify(parsed, undefined, 2).split('\n');
  } catch {
    return body.split('\n');
  }
}

/** One line a field: what it is called, and what stands in it. */
function listFacts(facts: LooseParts): readonly string[] {
  return Object.entries(facts)
    .map(([name, value]) => [splitWords(name), writeValue(value)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`);
}

function splitWords(name: string): string {
  return name.replaceAll('_', ' ');
}

function writeValue(value: unknown): string {
  if (value === undefined || value === null || value === false) return '';
  if (value === true) return 'yes';
  if (Array.isArray(value)) return value.map(writeValue).filter(Boolean).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
