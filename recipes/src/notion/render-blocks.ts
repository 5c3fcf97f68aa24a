import type { Block, List, ListItem, TextTree } from '../text/text-tree.ts';
import { readCodeLanguage } from './code-language.ts';
import { makeBlock, type NotionBlock, type NotionBlockType, type NotionText } from './notion-page.ts';
import { renderTable } from './render-table.ts';
import { chunkRuns, makeRuns, toRuns } from './rich-text.ts';

/** Where blocks stand: how many levels may be inside them, and how far what has no level any more is moved in. */
interface Place {
  readonly room: number;
  readonly indent: number;
}

/**
 * A text as Notion's blocks. A request takes two levels inside a block (developers.notion.com, Request limits): `room`
 * is how many are left. What is deeper stands beside its parent, moved in by blanks. Nothing is lost. Pure.
 */
export function renderBlocks(tree: TextTree, room: 0 | 1 | 2 = 2): NotionBlock[] {
  return renderAll(tree.children, { room, indent: 0 });
}

/** The same with the first paragraph as the text of one block of another kind, such as a check box. */
export function renderLed(
  type: NotionBlockType,
  blocks: readonly Block[],
  more: { readonly checked?: boolean; readonly ending?: string } = {},
  room: 0 | 1 | 2 = 2,
): NotionBlock[] {
  return lead(type, blocks, more, { room, indent: 0 });
}

/** A text of any length as blocks of one type. */
export function renderText(type: NotionBlockType, runs: readonly NotionText[]): NotionBlock[] {
  return chunkRuns(runs).map((rich_text) => makeBlock(type, { rich_text }));
}

function renderAll(blocks: readonly Block[], place: Place): NotionBlock[] {
  return blocks.flatMap((block) => renderBlock(block, place));
}

function renderBlock(block: Block, place: Place): NotionBlock[] {
  switch (block.type) {
    case 'paragraph':
      return renderText('paragraph', moveIn(toRuns(block.children), place));
    case 'heading':
      // Above them stand the headings of the page.
      return renderText('heading_3', moveIn(toRuns(block.children), place));
    case 'list':
      return block.children.flatMap((item) => renderItem(item, block, place));
    case 'blockquote':
      return lead('quote', block.children, {}, place);
    case 'code':
      return renderCode(block.value, block.lang);
    case 'table':
      return renderTable(block, place.room > 0);
    case 'thematicBreak':
      return [makeBlock('divider', {})];
    default:
      return block satisfies never;
  }
}

function renderItem(item: ListItem, list: List, place: Place): NotionBlock[] {
  if (item.checked !== undefined) return lead('to_do', item.children, { checked: item.checked }, place);
  return lead(list.ordered ? 'numbered_list_item' : 'bulleted_list_item', item.children, {}, place);
}

function lead(
  type: NotionBlockType,
  blocks: readonly Block[],
  { checked, ending = '' }: { readonly checked?: boolean; readonly ending?: string },
  place: Place,
): NotionBlock[] {
  const [first, ...rest] = blocks;
  const isLed = first?.type === 'paragraph';
  const runs = [...(isLed ? toRuns(first.children) : []), ...makeRuns(ending)];
  const [own = [], ...over] = chunkRuns(moveIn(runs, place));
  const isFull = place.room === 0;
  const inner = isFull ? { room: 0, indent: place.indent + 1 } : { room: place.room - 1, indent: 0 };
  const inside = [
    ...over.map((rich_text) => makeBlock('paragraph', { rich_text })),
    ...renderAll(isLed ? rest : blocks, inner),
  ];
  const content = { rich_text: own, ...(checked === undefined ? {} : { checked }) };
  if (inside.length === 0) return [makeBlock(type, content)];
  return isFull ? [makeBlock(type, content), ...inside] : [makeBlock(type, { ...content, children: inside })];
}

function renderCode(value: string, lang: string | undefined): NotionBlock[] {
  const language = readCodeLanguage(lang);
  return chunkRuns(makeRuns(value)).map((rich_text) => makeBlock('code', { rich_text, language }));
}

/** Two em spaces for each level. */
function moveIn(runs: NotionText[], { indent }: Place): readonly NotionText[] {
  return indent === 0 || runs.length === 0
    ? runs
    : [...makeRuns('\u2003\u2003'.repeat(Math.min(indent, 20))), ...runs];
}
