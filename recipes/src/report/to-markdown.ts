import type { BlockContent, ListItem as MdastItem, PhrasingContent } from 'mdast';
import { type Handle, type Options, toMarkdown as writeMarkdown } from 'mdast-util-to-markdown';

import { type Block, type Inline, type ListItem, listTableLines, type TextTree } from './text-tree.ts';

/**
 * The text of a report as Markdown, which `parseText` reads back. A table becomes one paragraph per row. What would be markup
 * in the words of the text is escaped. Pure.
 */
export function toMarkdown({ children }: TextTree): string {
  const root = { type: 'root', children: children.flatMap(toBlocks) } as const;
  // A rule of other signs than the bullets cannot be taken for an item.
  const options = {
    bullet: '-',
    rule: '_',
    handlers: { delete: writeDelete },
    // A bar can begin a table.
    unsafe: [{ character: '|', inConstruct: 'phrasing' }],
  } satisfies Options;
  return writeMarkdown(root, options).trimEnd();
}

/** Plain text as Markdown that shows it as it is: `*draft*` keeps its stars. Line breaks stay. Pure. */
export function escapeMarkdown(text: string): string {
  const lines = text.split(/\r\n|[\r\n]/);
  const children = lines.flatMap((line, at): Inline[] => [
    ...(at === 0 ? [] : [{ type: 'break' } as const]),
    { type: 'text', value: line },
  ]);
  return toMarkdown({ type: 'root', children: [{ type: 'paragraph', children }] });
}

function toBlocks(block: Block): readonly BlockContent[] {
  switch (block.type) {
    case 'paragraph':
      return [{ ...block, children: block.children.map(toInline) }];
    case 'heading':
      return [{ ...block, children: block.children.map(toOneLine).map(toInline) }];
    case 'list':
      return [{ ...block, spread: false, children: block.children.map(toItem) }];
    case 'blockquote':
      return [{ type: 'blockquote', children: block.children.flatMap(toBlocks) }];
    case 'table':
      return listTableLines(block).map((line) => ({ type: 'paragraph', children: line.map(toInline) }));
    case 'code':
    case 'thematicBreak':
    default:
      return [block];
  }
}

/** The box of a check list is a part of its first paragraph. */
function toItem({ checked, children }: ListItem): MdastItem {
  const blocks = children.flatMap(toBlocks);
  const [first, ...others] = blocks;
  if (checked === undefined || first?.type !== 'paragraph')
    return { type: 'listItem', spread: false, children: blocks };
  const box = { type: 'html', value: checked ? '[x] ' : '[ ] ' } as const;
  const paragraph = { ...first, children: [box, ...first.children] };
  return { type: 'listItem', spread: false, children: [paragraph, ...others] };
}

/** A heading is one line. */
function toOneLine(node: Inline): Inline {
  if (node.type === 'break') return { type: 'text', value: ' ' };
  if ('children' in node) return { ...node, children: node.children.map(toOneLine) };
  return { ...node, value: node.value.replaceAll(/\s*\n\s*/g, ' ') };
}

function toInline(node: Inline): PhrasingContent {
  if ('children' in node) return { ...node, children: node.children.map(toInline) };
  return node;
}

const writeDelete: Handle = (node, _parent, state, info) => {
  const text = state.containerPhrasing(node, { ...info, before: '~', after: '~' });
  return `~~${text}~~`;
};
