import { cutText } from '../text/cut-text.ts';
import type { Block, Inline, List, ListItem, Table } from '../text/text-tree.ts';
import { type RichTextLeaf, type RichTextStyle, slackLimits } from './slack-message.ts';

/** The words of a link; its address stands beside them. */
const maxLinkText = 500;

/** Words and links of one line, with the styles around them. */
export function toLeaves(nodes: readonly Inline[], style: RichTextStyle = {}): RichTextLeaf[] {
  return joinLeaves(nodes.flatMap((node) => toLeaf(node, style)));
}

/** Blocks as one run of lines, for where Slack takes no blocks: an item of a list, a quote. */
export function flattenBlocks(blocks: readonly Block[], style: RichTextStyle = {}): RichTextLeaf[] {
  const lines = blocks.map((block) => flattenBlock(block, style)).filter((leaves) => leaves.length > 0);
  return joinLeaves(lines.flatMap((leaves, at) => (at === 0 ? leaves : [textLeaf('\n'), ...leaves])));
}

export function textLeaf(text: string, style: RichTextStyle = {}): RichTextLeaf {
  return Object.keys(style).length === 0 ? { type: 'text', text } : { type: 'text', text, style };
}

/** Whether there is anything to read. */
export function isBlank(leaves: readonly RichTextLeaf[]): boolean {
  return leaves.every((leaf) => leaf.type === 'text' && leaf.text.trim() === '');
}

/** Neighbours of one style become one; Slack refuses empty ones. */
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

/** The mark in front of an item: its check box, as Slack has none. */
export function markItem({ checked }: ListItem): string {
  if (checked === undefined) return '';
  return checked ? '☑ ' : '☐ ';
}

/** `Head: cell · Head: cell` for each row; a table of one row is its cells. */
export function tableLines({ children: [head, ...rows] }: Table): RichTextLeaf[][] {
  const names = (head?.children ?? []).map(({ children }) => toLeaves(children, { bold: true }));
  if (rows.length === 0) return names.length === 0 ? [] : [joinCells(names)];
  return rows.map(({ children }) =>
    joinCells(
      children.map((cell, at) => {
        const value = toLeaves(cell.children);
        const name = names[at] ?? [];
        if (isBlank(value)) return [];
        return isBlank(name) ? value : [...name, textLeaf(': '), ...value];
      }),
    ),
  );
}

function joinCells(cells: readonly (readonly RichTextLeaf[])[]): RichTextLeaf[] {
  const filled = cells.filter((leaves) => !isBlank(leaves));
  return joinLeaves(filled.flatMap((leaves, at) => (at === 0 ? leaves : [textLeaf(' · '), ...leaves])));
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

function flattenBlock(block: Block, style: RichTextStyle): RichTextLeaf[] {
  switch (block.type) {
    case 'paragraph':
      return toLeaves(block.children, style);
    case 'heading':
      return toLeaves(block.children, { ...style, bold: true });
    case 'list':
      return flattenList(block, style);
    case 'blockquote':
      return flattenBlocks(block.children, style);
    case 'code':
      return block.value.trim() === '' ? [] : [textLeaf(block.value, { ...style, code: true })];
    case 'table':
      return joinLines(tableLines(block));
    case 'thematicBreak':
      return [];
    default:
      return block satisfies never;
  }
}

function flattenList(list: List, style: RichTextStyle): RichTextLeaf[] {
  return joinLines(
    list.children.map((item, at) => {
      const number = list.ordered ? `${(list.start ?? 1) + at}. ` : '• ';
      return [textLeaf(`${number}${markItem(item)}`), ...flattenBlocks(item.children, style)];
    }),
  );
}

function joinLines(lines: readonly (readonly RichTextLeaf[])[]): RichTextLeaf[] {
  return lines.flatMap((leaves, at) => (at === 0 ? [...leaves] : [textLeaf('\n'), ...leaves]));
}

function isSameStyle(one: RichTextStyle = {}, other: RichTextStyle = {}): boolean {
  const marks = ['bold', 'italic', 'strike', 'code'] as const;
  return marks.every((mark) => (one[mark] ?? false) === (other[mark] ?? false));
}
