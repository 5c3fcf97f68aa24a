import type { Block, List, ListItem, TextTree } from '../text/text-tree.ts';
import {
  flattenBlocks,
  isBlank,
  joinLeaves,
  markItem,
  tableLines,
  textLeaf,
  toLeaves,
} from './rich-text-leaves.ts';
import type { RichTextLeaf, RichTextList, RichTextPart } from './slack-message.ts';

/** A part of a rich_text block on its way into a message. */
export interface FlowPart {
  readonly part: RichTextPart;
  /** A heading: of the message (1), of an owner (2), of the text itself (3). */
  readonly level?: 1 | 2 | 3;
  /** Of a heading that is the name of somebody: who is mentioned where this address is known. */
  readonly email?: string;
}

/** Slack's lists go eight levels deep; nobody sees the difference beyond a few. */
const maxIndent = 6;
/** What is longer is no heading, whatever it says. */
const maxHeading = 300;

/**
 * A text as the elements of a rich_text block (docs.slack.dev, rich text block), in which nothing is markup: a mention
 * in the text stays text. A table becomes one line for each row, a check box ☐ or ☑. Pure.
 */
export function toRichText(tree: TextTree): readonly FlowPart[] {
  const flow: FlowPart[] = [];
  for (const block of tree.children) addBlock(flow, block);
  return flow.map(({ part, ...facts }) =>
    part.type === 'rich_text_section' && facts.level === undefined
      ? { part: { ...part, elements: joinLeaves([...part.elements, textLeaf('\n')]) } }
      : { part, ...facts },
  );
}

/** A bold line of its own. */
export function headingPart(text: string, level: 1 | 2 | 3): FlowPart {
  return { part: { type: 'rich_text_section', elements: [textLeaf(text, { bold: true })] }, level };
}

/** Texts as one list. */
export function toBullets(items: readonly (readonly RichTextLeaf[])[]): readonly FlowPart[] {
  const flow: FlowPart[] = [];
  for (const leaves of items) addItem(flow, 'bullet', 0, leaves);
  return flow;
}

function addBlock(flow: FlowPart[], block: Block): void {
  switch (block.type) {
    case 'paragraph':
      return addParagraph(flow, toLeaves(block.children));
    case 'heading':
      return addHeading(flow, toLeaves(block.children, { bold: true }));
    case 'list':
      return addList(flow, block, 0);
    case 'blockquote': {
      const elements = flattenBlocks(block.children);
      if (!isBlank(elements)) flow.push({ part: { type: 'rich_text_quote', elements } });
      return;
    }
    case 'code':
      if (block.value.trim() !== '') {
        flow.push({
          part: { type: 'rich_text_preformatted', elements: [{ type: 'text', text: block.value }] },
        });
      }
      return;
    case 'table':
      for (const leaves of tableLines(block)) addItem(flow, 'bullet', 0, leaves);
      return;
    case 'thematicBreak':
      return;
    default:
      return block satisfies never;
  }
}

function addHeading(flow: FlowPart[], elements: RichTextLeaf[]): void {
  const length = elements.reduce((sum, leaf) => sum + (leaf.type === 'user' ? 0 : leaf.text.length), 0);
  if (length > maxHeading) addParagraph(flow, elements);
  else if (!isBlank(elements)) flow.push({ part: { type: 'rich_text_section', elements }, level: 3 });
}

/** Paragraphs that follow each other are one section with an empty line between them. */
function addParagraph(flow: FlowPart[], elements: readonly RichTextLeaf[]): void {
  if (isBlank(elements)) return;
  const last = flow.at(-1);
  if (last?.part.type === 'rich_text_section' && last.level === undefined) {
    last.part.elements.push(textLeaf('\n\n'), ...elements);
  } else flow.push({ part: { type: 'rich_text_section', elements: [...elements] } });
}

/**
 * Slack counts a list of numbers from 1 and begins again after a list inside of it: where that would be wrong the
 * numbers are written out.
 */
function addList(flow: FlowPart[], list: List, indent: number): void {
  const { ordered, start = 1, children } = list;
  const isCounted = ordered && start === 1 && children.slice(0, -1).every((item) => !holdsList(item));
  const style = isCounted ? 'ordered' : 'bullet';
  children.forEach((item, at) => {
    const number = ordered && !isCounted ? `${String(start + at)}. ` : '';
    const own = item.children.filter(({ type }) => type !== 'list');
    const leaves = flattenBlocks(own);
    if (!isBlank(leaves)) addItem(flow, style, indent, [textLeaf(`${number}${markItem(item)}`), ...leaves]);
    for (const child of item.children) {
      if (child.type === 'list') addList(flow, child, Math.min(indent + 1, maxIndent));
    }
  });
}

function holdsList({ children }: ListItem): boolean {
  return children.some(({ type }) => type === 'list');
}

function addItem(
  flow: FlowPart[],
  style: RichTextList['style'],
  indent: number,
  leaves: readonly RichTextLeaf[],
): void {
  const elements = joinLeaves(leaves);
  if (isBlank(elements)) return;
  const section = { type: 'rich_text_section', elements } as const;
  const last = flow.at(-1)?.part;
  if (last?.type === 'rich_text_list' && last.indent === indent && last.style === style) {
    last.elements.push(section);
  } else flow.push({ part: { type: 'rich_text_list', style, indent, elements: [section] } });
}
