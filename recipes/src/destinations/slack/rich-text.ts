import { cutText } from '../../report/clean-text.ts';
import {
  type Block,
  type Inline,
  type List,
  type ListItem,
  listTableLines,
  type TextTree,
} from '../../report/text-tree.ts';
import {
  type FlowPart,
  type RichTextLeaf,
  type RichTextList,
  type RichTextStyle,
  slackLimits,
} from './message.ts';

/** Slack allows eight levels; more than a few look the same. */
const maxIndent = 6;
/** A longer heading becomes a paragraph. */
const maxHeading = 300;
/** Characters of the text of a link. */
const maxLinkText = 500;

/**
 * Converts a text to the elements of a rich_text block (docs.slack.dev, rich text block). Nothing in it is markup: a
 * mention in the text stays text. A table becomes one line per row, a check box becomes ☐ or ☑. Pure.
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

const unstyled: RichTextStyle = {};
const styleMarks = ['bold', 'italic', 'strike', 'code'] as const;

/** A bold line of its own. */
export function headingPart(text: string, level: 1 | 2 | 3): FlowPart {
  return { part: { type: 'rich_text_section', elements: [textLeaf(text, { bold: true })] }, level };
}

/** One bullet list of these items. */
export function toBullets(items: readonly (readonly RichTextLeaf[])[]): readonly FlowPart[] {
  const flow: FlowPart[] = [];
  for (const leaves of items) addItem(flow, 'bullet', 0, leaves);
  return flow;
}

/** Blocks as one run of lines, for places that take no blocks: a list item, a quote. */
export function flattenBlocks(blocks: readonly Block[], style = unstyled): RichTextLeaf[] {
  const lines = blocks.map((block) => flattenBlock(block, style)).filter((leaves) => leaves.length > 0);
  return joinLeaves(joinLines(lines));
}

export function textLeaf(text: string, style: RichTextStyle = unstyled): RichTextLeaf {
  return style === unstyled || Object.keys(style).length === 0
    ? { type: 'text', text }
    : { type: 'text', text, style };
}

/** Joins neighbours of one style and drops empty ones, which Slack rejects. */
export function joinLeaves(leaves: readonly RichTextLeaf[]): RichTextLeaf[] {
  const joined: RichTextLeaf[] = [];
  for (const leaf of leaves) {
    const last = joined.at(-1);
    if (leaf.type === 'text' && last?.type === 'text' && isSameStyle(leaf.style, last.style)) {
      joined[joined.length - 1] = { ...last, text: last.text + leaf.text };
    } else if (leaf.type === 'user' || leaf.text !== '') joined.push(leaf);
  }
  return joined;
}

function isSameStyle(one = unstyled, other = unstyled): boolean {
  return one === other || styleMarks.every((mark) => (one[mark] ?? false) === (other[mark] ?? false));
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
      for (const cells of listTableLines(block)) addItem(flow, 'bullet', 0, toLeaves(cells));
      return;
    case 'thematicBreak':
      return;
    default:
      return block satisfies never;
  }
}

/** Consecutive paragraphs become one section with an empty line between them. */
function addParagraph(flow: FlowPart[], elements: readonly RichTextLeaf[]): void {
  if (isBlank(elements)) return;
  const last = flow.at(-1);
  if (last?.part.type === 'rich_text_section' && last.level === undefined) {
    last.part.elements.push(textLeaf('\n\n'), ...elements);
  } else flow.push({ part: { type: 'rich_text_section', elements: [...elements] } });
}

function addHeading(flow: FlowPart[], elements: RichTextLeaf[]): void {
  const length = elements.reduce((sum, leaf) => sum + (leaf.type === 'user' ? 0 : leaf.text.length), 0);
  if (length > maxHeading) addParagraph(flow, elements);
  else if (!isBlank(elements)) flow.push({ part: { type: 'rich_text_section', elements }, level: 3 });
}

/**
 * Slack numbers a list from 1, starts again after a nested list, and goes on in a list that follows directly. Where that would
 * be wrong, the numbers are written as text.
 */
function addList(flow: FlowPart[], list: List, indent: number): void {
  const { ordered, start = 1, children } = list;
  const last = flow.at(-1)?.part;
  const isAfterNumbers =
    last?.type === 'rich_text_list' && last.style === 'ordered' && last.indent === indent;
  const isNumberedBySlack =
    ordered && start === 1 && !isAfterNumbers && children.slice(0, -1).every((item) => !hasList(item));
  children.forEach((item, at) => {
    const number = ordered && !isNumberedBySlack ? `${String(start + at)}. ` : '';
    const leaves = flattenBlocks(item.children.filter(({ type }) => type !== 'list'));
    if (!isBlank(leaves)) {
      const marked = [textLeaf(`${number}${checkBox(item)}`), ...leaves];
      addItem(flow, isNumberedBySlack ? 'ordered' : 'bullet', indent, marked);
    }
    for (const child of item.children) {
      if (child.type === 'list') addList(flow, child, Math.min(indent + 1, maxIndent));
    }
  });
}

function hasList({ children }: ListItem): boolean {
  return children.some(({ type }) => type === 'list');
}

/** Slack has no check boxes in rich text. */
function checkBox({ checked }: ListItem): string {
  if (checked === undefined) return '';
  return checked ? '☑ ' : '☐ ';
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

function isBlank(leaves: readonly RichTextLeaf[]): boolean {
  return leaves.every((leaf) => leaf.type === 'text' && leaf.text.trim() === '');
}

function flattenBlock(block: Block, style: RichTextStyle): RichTextLeaf[] {
  switch (block.type) {
    case 'paragraph':
      return toLeaves(block.children, style);
    case 'heading':
      return toLeaves(block.children, { ...style, bold: true });
    case 'list':
      return flattenList(block, style);
    case 'blockquote':
      return quoteLines(flattenBlocks(block.children, style));
    case 'code':
      return block.value.trim() === '' ? [] : [textLeaf(block.value, { ...style, code: true })];
    case 'table':
      return joinLines(listTableLines(block).map((cells) => toLeaves(cells, style)));
    case 'thematicBreak':
      return [];
    default:
      return block satisfies never;
  }
}

function flattenList(list: List, style: RichTextStyle): RichTextLeaf[] {
  return joinLines(
    list.children.map((item, at) => {
      const number = list.ordered ? `${String((list.start ?? 1) + at)}. ` : '• ';
      return [textLeaf(`${number}${checkBox(item)}`), ...flattenBlocks(item.children, style)];
    }),
  );
}

/** A quotation in an item keeps its mark. */
function quoteLines(leaves: readonly RichTextLeaf[]): RichTextLeaf[] {
  if (leaves.length === 0) return [];
  const quoted = leaves.map((leaf) =>
    leaf.type === 'text' ? { ...leaf, text: leaf.text.replaceAll('\n', '\n> ') } : leaf,
  );
  return [textLeaf('> '), ...quoted];
}

function joinLines(lines: readonly (readonly RichTextLeaf[])[]): RichTextLeaf[] {
  return lines.flatMap((leaves, at) => (at === 0 ? leaves : [textLeaf('\n'), ...leaves]));
}

function toLeaves(nodes: readonly Inline[], style = unstyled): RichTextLeaf[] {
  return joinLeaves(nodes.flatMap((node) => toLeaf(node, style)));
}

function toLeaf(node: Inline, style: RichTextStyle): RichTextLeaf[] {
  switch (node.type) {
    case 'text':
      return [textLeaf(node.value, style)];
    case 'strong':
      return toLeaves(node.children, { ...style, bold: true });
    case 'emphasis':
      return toLeaves(node.children, { ...style, italic: true });
    case 'delete':
      return toLeaves(node.children, { ...style, strike: true });
    case 'inlineCode':
      return [textLeaf(node.value, { ...style, code: true })];
    case 'link':
      return toLink(node.url, toLeaves(node.children, style), style);
    case 'break':
      return [textLeaf('\n', style)];
    default:
      return node satisfies never;
  }
}

function toLink(url: string, words: readonly RichTextLeaf[], style: RichTextStyle): RichTextLeaf[] {
  if (url.length > slackLimits.url) return [...words];
  const text = words.map((leaf) => (leaf.type === 'user' ? '' : leaf.text)).join('');
  const link = { type: 'link', url, text: cutText(text.trim() || url, maxLinkText) } as const;
  return [Object.keys(style).length === 0 ? link : { ...link, style }];
}
