import { asText, isFields, readFirst } from './loose.ts';
import { readName } from './read-name.ts';

const textNames = ['text', 'markdown', 'content', 'value', 'body'];
const labelNames = ['title', 'heading', 'speaker', 'name'];
/** What tells a machine apart, not a reader. */
const hiddenNames: ReadonlySet<string> = new Set(['id', 'color', 'type']);
/** Deeper than any report anyone would read. */
const MAX_DEPTH = 5;

/** A block as Markdown: a text as it is; of lists and objects every text they hold, in order. */
export function writeBlockText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth === MAX_DEPTH) return '';
  if (Array.isArray(value)) return writeList(value, depth);
  if (!isFields(value)) return asText(value) ?? '';
  const own = readFirst(value, textNames, asText);
  if (own !== undefined) return writeSection(readFirst(value, labelNames, readName) ?? '', own);
  return Object.entries(value)
    .filter(([name]) => !hiddenNames.has(name))
    .map(([name, inner]) => writeSection(name, writeBlockText(inner, depth + 1)))
    .filter((section) => section !== '')
    .join('\n\n');
}

function writeList(items: readonly unknown[], depth: number): string {
  return items
    .map((item) => writeBlockText(item, depth + 1).trim())
    .filter((text) => text !== '')
    .map((text) => `- ${text.replaceAll(/\n+/g, '\n  ')}`)
    .join('\n');
}

function writeSection(name: string, text: string): string {
  if (text.trim() === '' || name === '') return text;
  const heading = `**${name.replaceAll('_', ' ')}**`;
  return text.includes('\n') || text.startsWith('- ') ? `${heading}\n\n${text}` : `${heading}: ${text}`;
}
