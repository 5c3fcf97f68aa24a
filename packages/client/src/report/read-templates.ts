import { isTasks, normaliseName } from './block-kind.ts';
import type { Dropped } from './dropped.ts';
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
} from './loose.ts';
import { readId } from './read-id.ts';
import { writeTasks } from './read-tasks.ts';
import type { ReportBlock, ReportTemplate } from './report.ts';
import { writeBlockText } from './write-block-text.ts';

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
    if (content === undefined || typeof content === 'string') return [{ name, text: content ?? '' }];
    const text = isTasks(normaliseName(name)) ? writeTasks(content) : writeBlockText(content);
    return [{ name, text, value: content }];
  });
}

/** A list of entities, a single one, or an object that holds the texts by their names. */
function listBlocks(value: unknown): readonly unknown[] {
  const opened = openText(value);
  if (!isFields(opened) || readFirst(opened, blockNames, asText) !== undefined) return asEntries(opened);
  return Object.entries(opened).map(([name, text]): Fields => ({ name, text }));
}
