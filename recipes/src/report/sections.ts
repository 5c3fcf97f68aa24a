import type { Report, ReportBlock } from '@aftermeet/client';

import { cutText } from './clean-text.ts';
import { parseText } from './parse-text.ts';
import { cleanName } from './people.ts';
import { plainText } from './plain-text.ts';
import type { TextTree } from './text-tree.ts';

/** A named text of the report other than summary, decisions and tasks. */
export interface DigestSection {
  readonly title: string;
  readonly text: TextTree;
}

const limits = { sections: 40, section: 20_000, together: 80_000 };

/** Entities that other fields of the digest hold, or that are not text. */
const excludedEntities: ReadonlySet<string> = new Set(
  (
    'summary tasks task action_items actions todos decisions decision key_decisions ' +
    'keywords tags speakers chapters transcript'
  ).split(' '),
);

/**
 * Lists the texts of all templates other than summary, decisions and tasks, in the order of the report. Repeated texts and
 * the summary itself are left out; the second of two equal titles gets the template's name. At most 40 texts of 20,000
 * characters, 80,000 together.
 */
export function listSections(report: Pick<Report, 'templates' | 'summary'>): {
  readonly sections: readonly DigestSection[];
  readonly isCut: boolean;
} {
  const blocks = listBlocks(report);
  if (blocks.length === 0) return { sections: [], isCut: false };
  const sections: DigestSection[] = [];
  const seen = new Set([normalizeText(report.summary ?? '')]);
  const titles = new Set<string>();
  let room = limits.together;
  let isCut = false;
  for (const { template, block } of blocks) {
    const folded = normalizeText(block.text);
    if (folded === '' || seen.has(folded)) continue;
    seen.add(folded);
    const length = Math.min(limits.section, room);
    isCut ||= block.text.length > length || sections.length >= limits.sections;
    if (length === 0 || sections.length >= limits.sections) break;
    room -= Math.min(length, block.text.length);
    const title = cleanName(sectionTitle(block.name));
    const text = dropTitle(parseText(cutText(block.text, length)), title);
    if (text.children.length === 0) continue;
    sections.push({
      title: titles.has(title) ? cleanName(`${title} (${template})`) : title || 'Notes',
      text,
    });
    titles.add(title);
  }
  return { sections, isCut };
}

function listBlocks({
  templates,
}: Pick<Report, 'templates'>): readonly { template: string; block: ReportBlock }[] {
  return templates
    .flatMap(({ name, blocks }) => blocks.map((block) => ({ template: name, block })))
    .filter(({ block }) => !excludedEntities.has(normalizeEntity(block.name)));
}

function normalizeText(text: string): string {
  return text
    .slice(0, 2 * limits.section)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Drops a heading that repeats the title. */
function dropTitle(text: TextTree, title: string): TextTree {
  const [first, ...rest] = text.children;
  if (first?.type !== 'heading') return text;
  const heading = plainText({ type: 'root', children: [first] });
  return heading.toLowerCase() === title.toLowerCase() ? { type: 'root', children: rest } : text;
}

/** Titles of entities that the service is known to write. */
const knownTitles: ReadonlyMap<string, string> = new Map([
  ['follow_up_email', 'Follow-up email'],
  ['hr_summary', 'HR summary'],
  ['med_anamnesis', 'Medical anamnesis'],
  ['one_to_one', 'One to one'],
  ['sales_general', 'Sales'],
  ['summary_agenda', 'Agenda'],
]);

/** Gives `Med-Anamnesis`, `med_anamnesis` and `medAnamnesis` one name. */
function normalizeEntity(name: string): string {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s_-]+/g, '_')
    .toLowerCase();
}

/** The title of an entity: `Questions and answers` for `questions_and_answers`. */
function sectionTitle(name: string): string {
  const folded = normalizeEntity(name);
  const known = knownTitles.get(folded);
  if (known !== undefined) return known;
  const isEntity = /^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(folded);
  const words = isEntity ? folded.replaceAll('_', ' ').trim() : name.slice(0, 400);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
