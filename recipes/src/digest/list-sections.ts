import type { Report, ReportBlock } from '@aftermeet/client';

import type { DigestSection } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { fillPurse, parseText } from '../text/parse-text.ts';
import { plainText } from '../text/plain-text.ts';
import type { TextTree } from '../text/text-tree.ts';
import { readName } from './name-people.ts';
import { foldEntity, sectionTitle } from './section-title.ts';

const limits = { sections: 40, section: 20_000, together: 80_000 };
const sectionPoints = 80_000;

/** Entities that a digest has a place for elsewhere, or that are no text to read. */
const otherEntities: ReadonlySet<string> = new Set(
  (
    'summary tasks task action_items actions todos decisions decision key_decisions ' +
    'keywords tags speakers chapters transcript'
  ).split(' '),
);

/**
 * The texts of all templates beside summary, decisions and tasks, in the order of the report. What is the summary itself,
 * or stands in two templates, is there once; two texts of one name are told apart by the template's. At most 40 of
 * 20,000 characters, and 80,000 together.
 */
export function listSections(report: Pick<Report, 'templates' | 'summary'>): {
  readonly sections: readonly DigestSection[];
  readonly isCut: boolean;
} {
  const sections: DigestSection[] = [];
  const seen = new Set([foldText(report.summary ?? '')]);
  const titles = new Set<string>();
  const purse = fillPurse(sectionPoints);
  let room = limits.together;
  let isCut = false;
  for (const { template, block } of listBlocks(report)) {
    const folded = foldText(block.text);
    if (folded === '' || seen.has(folded)) continue;
    seen.add(folded);
    const length = Math.min(limits.section, room);
    isCut ||= block.text.length > length || sections.length >= limits.sections;
    if (length === 0 || sections.length >= limits.sections) break;
    room -= Math.min(length, block.text.length);
    const title = readName(sectionTitle(block.name));
    const text = dropTitle(parseText(cutText(block.text, length), purse), title);
    if (text.children.length === 0) continue;
    sections.push({ title: titles.has(title) ? readName(`${title} (${template})`) : title || 'Notes', text });
    titles.add(title);
  }
  return { sections, isCut };
}

function listBlocks({
  templates,
}: Pick<Report, 'templates'>): readonly { template: string; block: ReportBlock }[] {
  return templates
    .flatMap(({ name, blocks }) => blocks.map((block) => ({ template: name, block })))
    .filter(({ block }) => !otherEntities.has(foldEntity(block.name)));
}

function foldText(text: string): string {
  return text
    .slice(0, 2 * limits.section)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A text that begins with its own title would show it twice. */
function dropTitle(text: TextTree, title: string): TextTree {
  const [first, ...rest] = text.children;
  if (first?.type !== 'heading') return text;
  const heading = plainText({ type: 'root', children: [first] });
  return heading.toLowerCase() === title.toLowerCase() ? { type: 'root', children: rest } : text;
}
