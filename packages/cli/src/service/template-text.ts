import type { Report, ReportBlock, ReportTemplate } from '@aftermeet/client';

import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import type { Paint } from '../terminal/paint.ts';
import { formatSection } from './report-text.ts';

/**
 * The templates of a report that have this id, else those of this name: without case, and with `-` for a blank, so
 * that `sales-meeting` finds `Sales Meeting` too. There may be several of one name.
 */
export function findTemplates({ templates }: Report, wanted: string): readonly ReportTemplate[] {
  const byId = templates.filter(({ id }) => id === wanted);
  return byId.length > 0 ? byId : templates.filter(({ name }) => foldName(name) === foldName(wanted));
}

/** Everything that was made from a template, block by block, with the names that editing takes. */
export function formatTemplate({ name, id, blocks }: ReportTemplate, paint: Paint): string {
  const head = id === undefined ? 'without an id' : `template id ${cleanLine(id)}`;
  const sections = [
    `${paint.strong(cleanLine(name))}\n${paint.dim(head)}\n`,
    ...blocks.map((block) => formatBlock(block, paint)),
  ];
  return sections.join('\n');
}

/** The templates of a report, each with its id, one a line. */
export function listTemplates({ templates }: Report): string {
  return templates
    .map(({ name, id }) => `  ${cleanLine(name)}${id === undefined ? '' : ` (template id ${cleanLine(id)})`}`)
    .join('\n');
}

function formatBlock({ name, text }: ReportBlock, paint: Paint): string {
  const shown = cleanText(text).trim();
  return formatSection(paint.strong(cleanLine(name)), shown === '' ? '(empty)' : shown);
}

function foldName(name: string): string {
  return cleanLine(name)
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-');
}
