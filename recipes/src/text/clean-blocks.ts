import type { BlockContent, DefinitionContent, List as MdastList } from 'mdast';

import { type CleanContext, cleanInlines, mergeInlines, readHtml } from './clean-inlines.ts';
import { cleanTable } from './clean-table.ts';
import type { Block, Inline, ListItem } from './text-tree.ts';
import { tidyText } from './tidy-text.ts';

const maxQuotes = 4;
const maxLists = 8;

interface Depth {
  readonly quotes: number;
  readonly lists: number;
}

/** What stands in a document, a quote or an item. */
export type FlowNode = BlockContent | DefinitionContent;

/** The blocks of an mdast document as blocks of the small tree, in their order. */
export function cleanBlocks(nodes: readonly FlowNode[], context: CleanContext): Block[] {
  return nodes.flatMap((node) => cleanBlock(node, context, { quotes: 0, lists: 0 }));
}

function cleanBlock(node: FlowNode, context: CleanContext, depth: Depth): Block[] {
  const cleanAll = (children: readonly FlowNode[], at: Depth): Block[] =>
    children.flatMap((child) => cleanBlock(child, context, at));
  switch (node.type) {
    case 'paragraph':
      return paragraph(cleanInlines(node.children, context));
    case 'heading': {
      const children = cleanInlines(node.children, context);
      return children.length === 0 ? [] : [{ type: 'heading', depth: node.depth, children }];
    }
    case 'blockquote': {
      const children = cleanAll(node.children, { ...depth, quotes: depth.quotes + 1 });
      return depth.quotes >= maxQuotes || children.length === 0
        ? children
        : [{ type: 'blockquote', children }];
    }
    case 'list': {
      const children = cleanItems(node, context, { ...depth, lists: depth.lists + 1 });
      if (children.length === 0) return [];
      const ordered = node.ordered === true;
      const start = node.start ?? 1;
      return [{ type: 'list', ordered, ...(ordered && start !== 1 ? { start } : {}), children }];
    }
    case 'code':
      return codeBlock(node.lang ?? '', node.value);
    case 'table':
      return cleanTable(node, context);
    case 'thematicBreak':
      return [{ type: 'thematicBreak' }];
    case 'html':
      return paragraph(readHtml(node.value));
    case 'footnoteDefinition':
      return withLabel(`[^${tidyText(node.label ?? node.identifier)}]: `, cleanAll(node.children, depth));
    case 'definition':
      break;
  }
  return [];
}

/** What a footnote says, behind the mark by which its text names it. */
function withLabel(label: string, blocks: readonly Block[]): Block[] {
  const [first, ...rest] = blocks;
  const text = { type: 'text', value: label } as const;
  if (first?.type !== 'paragraph') return [...paragraph([text]), ...blocks];
  return [{ type: 'paragraph', children: mergeInlines([text, ...first.children]) }, ...rest];
}

/** The items of a list; what is nested too deep becomes items beside the one it stood in. */
function cleanItems(list: MdastList, context: CleanContext, depth: Depth): ListItem[] {
  return list.children.flatMap((item) => {
    const children: Block[] = [];
    const beside: ListItem[] = [];
    for (const child of item.children) {
      if (child.type === 'list' && depth.lists >= maxLists) beside.push(...cleanItems(child, context, depth));
      else children.push(...cleanBlock(child, context, depth));
    }
    const box = typeof item.checked === 'boolean' ? { checked: item.checked } : {};
    return children.length === 0 ? beside : [{ type: 'listItem' as const, ...box, children }, ...beside];
  });
}

function paragraph(...parts: readonly (readonly Inline[])[]): Block[] {
  const children = parts.flat();
  return children.length === 0 ? [] : [{ type: 'paragraph', children }];
}

/** A block of code; its language only where it can be one. */
export function codeBlock(lang: string, code: string): Block[] {
  const value = tidyText(code);
  if (value.trim() === '') return [];
  const word = /^[\w+#.-]{1,40}/.exec(lang)?.[0];
  return [{ type: 'code', ...(word === undefined ? {} : { lang: word }), value }];
}
