import {
  asEntries,
  asFilled,
  asPresent,
  asText,
  type Fields,
  isFields,
  openText,
  readFirst,
  spellNames,
} from '../loose.ts';
import { htmlToMarkdown } from './html.ts';
import { type Dropped, readId, readName } from './people.ts';
import type { ReportBlock, ReportTemplate } from './report.ts';
import { isDecisions, isTasks, normalizeName, writeTasks } from './tasks.ts';

const idNames = spellNames('id', 'template_id', 'created_template_id');

const nameNames = spellNames('name', 'template_name', 'title');

const blocksNames = ['entities', 'blocks', 'sections'];

const blockNames = spellNames('name', 'entity', 'entity_name');

const valueNames = ['text', 'content', 'value', 'markdown', 'actions'];

/** What the service wrote about the meeting, template by template. A template that is there twice counts once. */
export function readTemplates(value: unknown, dropped: Dropped): readonly ReportTemplate[] {
  const templates: ReportTemplate[] = [];
  const seen = new Set<string>();
  for (const entry of listTemplates(value)) {
    if (!isFields(entry)) {
      dropped.add('templates');
      continue;
    }
    const written = writeJson(entry);
    if (written !== undefined && seen.has(written)) continue;
    if (written !== undefined) seen.add(written);
    templates.push(readTemplate(entry, dropped));
  }
  return templates;
}

/** A list of templates, a single one, or an object that holds them, or only their blocks, by their names. */
function listTemplates(value: unknown): readonly unknown[] {
  const opened = openText(value);
  if (!isFields(opened) || isTemplate(opened)) return asEntries(opened);
  return Object.entries(opened).map(([name, inner]) => {
    if (isFields(inner) && isTemplate(inner)) return { name, ...inner };
    return isFields(inner) || Array.isArray(inner) ? { name, entities: inner } : undefined;
  });
}

function isTemplate(fields: Fields): boolean {
  return (
    readFirst(fields, blocksNames, asPresent) !== undefined ||
    readFirst(fields, [...idNames, ...nameNames], asText) !== undefined
  );
}

function readTemplate(fields: Fields, dropped: Dropped): ReportTemplate {
  const id = readId(fields, idNames, dropped);
  return {
    name: readFirst(fields, nameNames, asText) ?? 'Untitled',
    ...(id === undefined ? {} : { id }),
    blocks: readBlocks(readFirst(fields, blocksNames, asPresent), dropped),
  };
}

/** Undefined for what is nested too deep to be written. */
function writeJson(fields: Fields): string | undefined {
  try {
    return JSON.stringify(fields);
  } catch {
    return undefined;
  }
}

function readBlocks(value: unknown, dropped: Dropped): readonly ReportBlock[] {
  return listBlocks(value).flatMap((entry) => {
    const name = isFields(entry) ? readFirst(entry, blockNames, asText) : undefined;
    if (!isFields(entry) || name === undefined) {
      dropped.add('blocks');
      return [];
    }
    const content = readFirst(entry, valueNames, asFilled) ?? readFirst(entry, valueNames, asPresent);
    if (content === undefined) return [{ name, text: '' }];
    if (typeof content === 'string') return [{ name, text: htmlToMarkdown(content) }];
    const text = isTasks(normalizeName(name)) ? writeTasks(content) : writeBlockText(content);
    return [{ name, text, value: content }];
  });
}

/** A list of entities, a single one, or an object that holds the texts by their names. */
function listBlocks(value: unknown): readonly unknown[] {
  const opened = openText(value);
  if (!isFields(opened) || readFirst(opened, blockNames, asText) !== undefined) return asEntries(opened);
  return Object.entries(opened).map(([name, text]): Fields => ({ name, text }));
}

/** The observed entities that tell of a whole meeting, the most general first. */
const ranks: ReadonlyMap<string, number> = new Map(
  [
    'summary',
    'summary_agenda',
    'sales_general',
    'hr_summary',
    'one_to_one',
    'team_sync_agenda',
    'protocol',
    'med_anamnesis',
    'research_insights',
    'sales_coach',
    'summary_by_speaker',
  ].map((name, rank) => [name, rank]),
);

const UNKNOWN_SUMMARY_RANK = 100;

const UNKNOWN_RANK = 101;

const LAST_RANK = 102;

const lastNames: ReadonlySet<string> = new Set(['questions_and_answers']);

const otherNames: ReadonlySet<string> = new Set(['keywords', 'tags', 'speakers', 'chapters', 'transcript']);

/**
 * The text that sums a meeting up, whichever template it was made from: an entity `summary`; else the report's own
 * `summary`; else the observed entity that is the most general; else one with `summary` in its name; else any
 * text that is no list of tasks, decisions or words; questions and answers at last.
 */
export function chooseSummary(blocks: readonly ReportBlock[], own: string | undefined): string | undefined {
  let best: { rank: number; text: string } | undefined;
  for (const { name, text } of blocks) {
    const rank = rankBlock(name);
    if (rank !== undefined && text.trim() !== '' && (best === undefined || rank < best.rank))
      best = { rank, text };
  }
  return best?.rank === 0 ? best.text : (own ?? best?.text);
}

function rankBlock(name: string): number | undefined {
  const key = normalizeName(name);
  if (isTasks(key) || isDecisions(key) || otherNames.has(key)) return undefined;
  if (lastNames.has(key)) return LAST_RANK;
  return ranks.get(key) ?? (key.includes('summary') ? UNKNOWN_SUMMARY_RANK : UNKNOWN_RANK);
}

const textNames = ['text', 'markdown', 'content', 'value', 'body'];

const labelNames = ['title', 'heading', 'speaker', 'name'];

/** What tells a machine apart, not a reader. */
const hiddenNames: ReadonlySet<string> = new Set(['id', 'color', 'type']);

/** Deeper than any report anyone would read. */
const MAX_DEPTH = 5;

/** A block as Markdown: a text as it is, but for its HTML; of lists and objects every text they hold, in order. */
export function writeBlockText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return htmlToMarkdown(value);
  if (depth === MAX_DEPTH) return '';
  if (Array.isArray(value)) return writeList(value, depth);
  if (!isFields(value)) return asText(value) ?? '';
  const own = readFirst(value, textNames, asText);
  if (own !== undefined) {
    return writeSection(readFirst(value, labelNames, readName) ?? '', htmlToMarkdown(own));
  }
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
