import type { Definition, Root, RootContent } from 'mdast';

import { cleanBlocks, codeBlock, type FlowNode } from './clean-blocks.ts';
import { readLines } from './clean-inlines.ts';
import { readMarkdown } from './read-markdown.ts';
import { type MarkdownPart, splitMarkdown } from './split-markdown.ts';
import type { Block, TextTree } from './text-tree.ts';
import { tidyText } from './tidy-text.ts';
import { isPlain, textPoints, weighMarkdown } from './weigh-markdown.ts';

/** What reading Markdown may still cost, in points (`weighMarkdown`): several texts can share one. */
export interface ReadingPurse {
  points: number;
}

/** What one text costs at most unless it shares. */
export function fillPurse(points: number = textPoints): ReadingPurse {
  return { points };
}

/** Addresses that references fill in, of one part. */
const addressRoom = 10_000;
const definitionLine = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*\S{1,2000}[^\n]{0,200}$/gm;
const maxDefinitions = 50;

/**
 * Reads Markdown (CommonMark with GitHub's tables, task lists, strike-through and bare links) into the tree that every
 * destination renders. Never throws. The purse bounds the time: a part that would cost more than is left in it, or is
 * nested past all reason, comes as paragraphs of what is written. 40,000 characters of anything took at most the time
 * of 40,000 characters of real minutes.
 */
export function parseText(markdown: string, purse: ReadingPurse = fillPurse()): TextTree {
  const text = tidyText(markdown);
  if (isPlain(text)) return { type: 'root', children: plainParagraphs(text) };
  const definitions = (text.match(definitionLine) ?? []).slice(0, maxDefinitions).join('\n');
  const children: Block[] = [];
  for (const part of splitMarkdown(text)) appendBlocks(children, readPart(part, definitions, purse), part);
  return { type: 'root', children };
}

function readPart(part: MarkdownPart, definitions: string, purse: ReadingPurse): Block[] {
  if (part.type === 'code') return codeBlock(part.lang, part.value);
  const markdown = part.markdown.includes('[') ? `${definitions}\n\n${part.markdown}` : part.markdown;
  if (isPlain(markdown)) return plainParagraphs(markdown);
  const points = weighMarkdown(markdown);
  if (points > purse.points) return plainParagraphs(part.markdown);
  purse.points -= points;
  const root = readMarkdown(markdown);
  if (root === undefined) return plainParagraphs(part.markdown);
  return cleanBlocks(root.children.filter(isFlow), { definitions: findDefinitions(root), addressRoom });
}

const flowTypes: readonly string[] = [
  'blockquote',
  'code',
  'definition',
  'footnoteDefinition',
  'heading',
  'html',
  'list',
  'paragraph',
  'table',
  'thematicBreak',
] satisfies FlowNode['type'][];

function isFlow(node: RootContent): node is FlowNode {
  return flowTypes.includes(node.type);
}

/** The first definition of a name counts (CommonMark 0.31.2, section 4.7). */
function findDefinitions(root: Root): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  const visit = (node: Root | Root['children'][number]): void => {
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node);
    if (
      node.type === 'root' ||
      node.type === 'blockquote' ||
      node.type === 'list' ||
      node.type === 'listItem'
    ) {
      node.children.forEach(visit);
    }
  };
  visit(root);
  return found;
}

/** Joins a list that was cut between two of its items. */
function appendBlocks(blocks: Block[], next: readonly Block[], part: MarkdownPart): void {
  const last = blocks.at(-1);
  const first = next[0];
  if (
    part.type === 'flow' &&
    part.continuesList &&
    last?.type === 'list' &&
    first?.type === 'list' &&
    last.ordered === first.ordered
  ) {
    blocks[blocks.length - 1] = { ...last, children: last.children.concat(first.children) };
    for (const block of next.slice(1)) blocks.push(block);
    return;
  }
  for (const block of next) blocks.push(block);
}

/** Each stretch between empty lines as one paragraph. */
function plainParagraphs(text: string): Block[] {
  return text
    .split(/\n[ \t]*(?=\n)/)
    .map((lines) => readLines(lines.trim()))
    .filter((children) => children.length > 0)
    .map((children) => ({ type: 'paragraph', children }));
}
