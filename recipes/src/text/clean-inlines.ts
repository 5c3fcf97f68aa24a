import type { Definition, PhrasingContent } from 'mdast';

import { safeLink } from './safe-link.ts';
import type { Inline } from './text-tree.ts';
import { tidyText } from './tidy-text.ts';

/** What the texts of one document share. */
export interface CleanContext {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Characters that addresses given once may still fill in: ten thousand `[a]` can name one long address. */
  addressRoom: number;
}

/** Marks within marks are kept to this depth: renderers walk the tree by recursion. */
const maxDepth = 6;
const lineBreak = /<br\s{0,9}\/?>/i;

/**
 * What stands in a paragraph, a heading or a cell, as nodes of the small tree: neighbouring texts are one, nothing is
 * empty, and no blank or line break stands at either end.
 */
export function cleanInlines(nodes: readonly PhrasingContent[], context: CleanContext): Inline[] {
  return trimInlines(mergeInlines(nodes.flatMap((node) => cleanInline(node, context, 0, false))));
}

function cleanInline(node: PhrasingContent, context: CleanContext, depth: number, inLink: boolean): Inline[] {
  const cleanAll = (children: readonly PhrasingContent[], linked = inLink): Inline[] =>
    mergeInlines(children.flatMap((child) => cleanInline(child, context, depth + 1, linked)));
  switch (node.type) {
    case 'text':
      return readLines(node.value);
    case 'inlineCode': {
      const value = tidyText(node.value).replaceAll('\n', ' ');
      return value.trim() === '' ? [] : [{ type: 'inlineCode', value }];
    }
    case 'strong':
    case 'emphasis':
    case 'delete': {
      const children = cleanAll(node.children);
      return depth >= maxDepth || !hasWords(children) ? children : [{ type: node.type, children }];
    }
    case 'link':
      return cleanLink(node.url, cleanAll(node.children, true), inLink);
    case 'linkReference': {
      const url = context.definitions.get(node.identifier)?.url ?? '';
      context.addressRoom -= url.length;
      return cleanLink(context.addressRoom < 0 ? '' : url, cleanAll(node.children, true), inLink);
    }
    case 'image':
    case 'imageReference':
      return readLines(node.alt ?? '');
    case 'html':
      return readHtml(node.value);
    case 'footnoteReference':
      return readLines(`[^${node.label ?? node.identifier}]`);
    case 'break':
      break;
  }
  return [{ type: 'break' }];
}

function cleanLink(address: string, children: Inline[], inLink: boolean): Inline[] {
  const url = inLink ? undefined : safeLink(address);
  if (url === undefined) return children;
  return [{ type: 'link', url, children: hasWords(children) ? children : [{ type: 'text', value: url }] }];
}

/** HTML as it is written; only a line break is taken as what it means, since tables cannot have another one. */
export function readHtml(html: string): Inline[] {
  return html
    .split(lineBreak)
    .flatMap((piece, at) => [...(at === 0 ? [] : [{ type: 'break' } as const]), ...readLines(piece)]);
}

/** Text, in which the end of a line stays one: who writes minutes means it so. */
export function readLines(text: string): Inline[] {
  return tidyText(text)
    .split('\n')
    .flatMap((value, at) => [
      ...(at === 0 ? [] : [{ type: 'break' } as const]),
      ...(value === '' ? [] : [{ type: 'text', value } as const]),
    ]);
}

/** Neighbouring texts as one; no blanks beside the end of a line. */
export function mergeInlines(nodes: readonly Inline[]): Inline[] {
  const merged: Inline[] = [];
  let texts: string[] = [];
  const flush = (next?: Inline): void => {
    const joined = texts.join('');
    const start = merged.at(-1)?.type === 'break' ? joined.trimStart() : joined;
    const value = next?.type === 'break' ? start.trimEnd() : start;
    if (value !== '') merged.push({ type: 'text', value });
    texts = [];
  };
  for (const node of nodes) {
    if (node.type === 'text') texts.push(node.value);
    else {
      flush(node);
      merged.push(node);
    }
  }
  flush();
  return merged;
}

function hasWords(nodes: readonly Inline[]): boolean {
  return nodes.some((node) =>
    'children' in node ? hasWords(node.children) : 'value' in node && /\S/.test(node.value),
  );
}

function trimInlines(nodes: readonly Inline[]): Inline[] {
  let from = 0;
  let to = nodes.length;
  while (from < to && isBlank(nodes[from])) from += 1;
  while (to > from && isBlank(nodes[to - 1])) to -= 1;
  return nodes.slice(from, to).map((node, at, kept) => {
    if (node.type !== 'text') return node;
    const value = at === 0 ? node.value.trimStart() : node.value;
    return { type: 'text', value: at === kept.length - 1 ? value.trimEnd() : value };
  });
}

function isBlank(node: Inline | undefined): boolean {
  return node?.type === 'break' || (node?.type === 'text' && node.value.trim() === '');
}
