import { followsOrdinal } from '@aftermeet/client';
import type { Token } from 'markdown-it';

import { cleanText } from './clean-text.ts';
import { isUnspaced, literalToken, parseMarkdown } from './markdown.ts';
import { parsePlain } from './parse-plain.ts';
import { findMaskedHost, toSafeUrl } from './safe-link.ts';
import type { Block, Inline, ListItem, TableCell, TextTree } from './text-tree.ts';

const MAX_QUOTES = 4;
const MAX_LISTS = 8;
/** Depth of nested emphasis; renderers walk the tree by recursion. */
const MAX_MARKS = 6;
const MAX_COLUMNS = 50;
/** Short rows are filled to the width of the header, so a small text can make millions of cells. */
const MAX_CELLS = 5000;
const lineBreak = /<br\s{0,9}\/?>/i;

/**
 * Parses Markdown (CommonMark with GitHub's tables, task lists, strike-through and bare links) into the tree that all
 * destinations render. Never throws. 20,000 characters of any text take at most about 100 ms.
 */
export function parseText(markdown: string): TextTree {
  return parsePlain(markdown) ?? parseAnyText(markdown);
}

/** {@link parseText} without its shortcut; for its test. */
export function parseAnyText(markdown: string): TextTree {
  const cursor: Cursor = { tokens: parseMarkdown(cleanText(markdown)), at: 0 };
  return { type: 'root', children: parseBlocks(cursor, { quotes: 0, lists: 0 }) };
}

/** Makes a tree of text without parsing Markdown: each part between empty lines is one paragraph. */
export function literalText(text: string): TextTree {
  const children: Block[] = [];
  for (const lines of cleanText(text).split(/\n[ \t]*(?=\n)/))
    addParagraph(children, splitLines(lines.trim()));
  return { type: 'root', children };
}

/** The tokens of a document and the index of the next one. */
interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
}

interface Depth {
  readonly quotes: number;
  readonly lists: number;
}

/** Parses blocks up to and including the closing token of their container. */
function parseBlocks(cursor: Cursor, depth: Depth): Block[] {
  const blocks: Block[] = [];
  for (let token = takeNext(cursor); token !== undefined && token.nesting >= 0; token = takeNext(cursor)) {
    addBlock(blocks, token, cursor, depth);
  }
  return blocks;
}

function takeNext(cursor: Cursor): Token | undefined {
  const token = cursor.tokens[cursor.at];
  cursor.at += 1;
  return token;
}

function addBlock(blocks: Block[], token: Token, cursor: Cursor, depth: Depth): void {
  switch (token.type) {
    case 'paragraph_open':
      return addParagraph(blocks, parseContent(cursor));
    case 'heading_open': {
      const children = parseContent(cursor);
      if (children.length > 0) blocks.push({ type: 'heading', depth: headingDepth(token.tag), children });
      return;
    }
    case 'blockquote_open': {
      const children = parseBlocks(cursor, { ...depth, quotes: depth.quotes + 1 });
      if (depth.quotes >= MAX_QUOTES) blocks.push(...children);
      else if (children.length > 0) blocks.push({ type: 'blockquote', children });
      return;
    }
    case 'bullet_list_open':
    case 'ordered_list_open':
      return addList(blocks, token, cursor, depth);
    case 'table_open':
      return addTable(blocks, cursor);
    case 'code_block':
    case 'fence':
      return addCode(blocks, token);
    case 'hr':
      blocks.push({ type: 'thematicBreak' });
      return;
    case 'html_block':
      return addParagraph(blocks, trimInlines(mergeInlines(parseHtml(token.content))));
    case literalToken:
      return addParagraph(blocks, trimInlines(mergeInlines(splitLines(token.content))));
    default:
      return;
  }
}

function addParagraph(blocks: Block[], children: readonly Inline[]): void {
  if (children.length > 0) blocks.push({ type: 'paragraph', children });
}

function headingDepth(tag: string): 1 | 2 | 3 | 4 | 5 | 6 {
  const depth = Number(tag.slice(1));
  return depth === 1 || depth === 2 || depth === 3 || depth === 4 || depth === 5 ? depth : 6;
}

function addList(blocks: Block[], token: Token, cursor: Cursor, depth: Depth): void {
  const items = parseItems(cursor, { ...depth, lists: depth.lists + 1 });
  if (token.type === 'bullet_list_open') {
    const children = items.map(({ item }) => item).filter(hasContent);
    if (children.length > 0) blocks.push({ type: 'list', ordered: false, children });
    return;
  }
  addNumbered(blocks, items, findLastNumber(blocks));
}

/** An item with the number that it was written with: `3.` or `3)`. */
interface NumberedItem {
  readonly item: ListItem;
  readonly number: string;
}

/**
 * Adds the items of a list with numbers. A number that does not count up, and one that is an ordinal or a part of a date, is the
 * beginning of a paragraph. `last` is the number at which a list before was interrupted.
 */
function addNumbered(blocks: Block[], items: readonly NumberedItem[], last: number): void {
  let list: { readonly start: number; readonly children: ListItem[] } | undefined;
  let before = last;
  items.forEach(({ item, number }, at) => {
    const value = Number.parseInt(number, 10);
    const next = Number.parseInt(items[at + 1]?.number ?? '', 10);
    const isFirst = (value === 1 && items.length === 1) || (next === value + 1 && !isOrdinal(items[at + 1]));
    const isCounted = isFirst || value === before + 1;
    before = value;
    if (!isCounted || !hasContent(item) || number.startsWith('0') || isOrdinal({ item, number })) {
      list = undefined;
      addNumberedText(blocks, item, number);
    } else if (list !== undefined && list.start + list.children.length === value) list.children.push(item);
    else {
      list = { start: value, children: [item] };
      blocks.push({
        type: 'list',
        ordered: true,
        ...(value === 1 ? {} : { start: value }),
        children: list.children,
      });
    }
  });
}

function addNumberedText(
  blocks: Block[],
  { checked, children: [first, ...rest] }: ListItem,
  number: string,
): void {
  if (first?.type === 'list' && first.ordered) {
    // `1. 1. 2026`: two numbers on one line are a date.
    const [inner, ...others] = first.children;
    const from = first.start ?? 1;
    if (inner !== undefined) addNumberedText(blocks, inner, `${number} ${String(from)}.`);
    if (others.length > 0) blocks.push({ ...first, start: from + 1, children: others });
    blocks.push(...rest);
    return;
  }
  const box = checked === undefined ? '' : checked ? '☑ ' : '☐ ';
  const begin: Inline = { type: 'text', value: `${number} ${box}` };
  if (first?.type === 'paragraph') addParagraph(blocks, mergeInlines([begin, ...first.children]));
  else addParagraph(blocks, [{ type: 'text', value: number }]);
  if (first !== undefined && first.type !== 'paragraph') blocks.push(first);
  blocks.push(...rest);
}

/** Whether what follows the number says that it is none of a list. */
function isOrdinal(numbered: NumberedItem | undefined): boolean {
  const first = numbered?.item.children[0];
  if (first?.type === 'list') return first.ordered;
  if (first?.type !== 'paragraph' || !numbered?.number.endsWith('.')) return false;
  return followsOrdinal(readWords(first.children.slice(0, 3)));
}

/** So many blocks may stand between the parts of a list. */
const MAX_INTERRUPTION = 20;

/** The number of the last list with numbers beside these blocks: text and bullets interrupt a list. */
function findLastNumber(blocks: readonly Block[]): number {
  const list = blocks.slice(-MAX_INTERRUPTION).findLast((block) => block.type === 'list' && block.ordered);
  return list?.type === 'list' ? (list.start ?? 1) + list.children.length - 1 : 0;
}

function hasContent({ children }: ListItem): boolean {
  return children.length > 0;
}

/** Parses the items of a list. Items nested too deep become siblings of the item that contains them. */
function parseItems(cursor: Cursor, depth: Depth): NumberedItem[] {
  const items: NumberedItem[] = [];
  for (let token = takeNext(cursor); token?.type === 'list_item_open'; token = takeNext(cursor)) {
    const children: Block[] = [];
    const beside: NumberedItem[] = [];
    for (let child = takeNext(cursor); child !== undefined && child.nesting >= 0; child = takeNext(cursor)) {
      const isTooDeep = depth.lists >= MAX_LISTS && child.type.endsWith('_list_open');
      if (isTooDeep) beside.push(...parseItems(cursor, depth));
      else addBlock(children, child, cursor, depth);
    }
    const { checked } = (token.meta ?? {}) as { readonly checked?: boolean };
    const item: ListItem = { type: 'listItem', ...(checked === undefined ? {} : { checked }), children };
    items.push({ item, number: token.info + token.markup }, ...beside);
  }
  return items;
}

/** Adds a block of code, with its language when that is a plausible name. */
function addCode(blocks: Block[], token: Token): void {
  const value = cleanText(token.content).replace(/\n$/, '');
  if (value.trim() === '') return;
  const lang = /^[\w+#.-]{1,40}/.exec(token.info)?.[0];
  blocks.push({ type: 'code', ...(lang === undefined ? {} : { lang }), value });
}

/** Adds a table; one that is too large becomes lines of text. */
function addTable(blocks: Block[], cursor: Cursor): void {
  const rows: Inline[][][] = [];
  for (
    let token = takeNext(cursor);
    token !== undefined && token.type !== 'table_close';
    token = takeNext(cursor)
  ) {
    if (token.type === 'tr_open') rows.push([]);
    else if (token.type === 'inline') rows.at(-1)?.push(parseInlines(token.children ?? []));
  }
  if (!rows.flat().some((cell) => cell.length > 0)) return;
  const width = rows[0]?.length ?? 0;
  if (width > MAX_COLUMNS || width * rows.length > MAX_CELLS) {
    for (const cells of rows) addParagraph(blocks, joinCells(cells));
    return;
  }
  blocks.push({
    type: 'table',
    children: rows.map((cells) => ({
      type: 'tableRow',
      children: cells.map((children): TableCell => ({ type: 'tableCell', children })),
    })),
  });
}

/** Joins cells to one line of text, separated by ` | `. */
function joinCells(cells: readonly (readonly Inline[])[]): Inline[] {
  const bar: Inline = { type: 'text', value: ' | ' };
  const filled = cells.filter((cell) => cell.length > 0);
  return mergeInlines(filled.flatMap((cell, at) => (at === 0 ? cell : [bar, ...cell])));
}

/** Parses the content of a paragraph or heading, including its closing token. */
function parseContent(cursor: Cursor): readonly Inline[] {
  const inline = takeNext(cursor);
  takeNext(cursor);
  return parseInlines(inline?.children ?? []);
}

/** Emphasis or a link that is not closed yet. */
interface OpenMark {
  readonly token: Token;
  readonly children: Inline[];
}

/**
 * Parses the content of a paragraph, heading or cell. Adjacent texts are merged, empty nodes dropped, blanks and line breaks
 * at both ends removed.
 */
function parseInlines(tokens: readonly Token[]): Inline[] {
  const root: Inline[] = [];
  const open: OpenMark[] = [];
  let links = 0;
  for (const token of tokens) {
    const nodes = open.at(-1)?.children ?? root;
    if (token.nesting === 0) addInline(nodes, token);
    else if (token.nesting === 1) {
      open.push({ token, children: [] });
      if (token.type === 'link_open') links += 1;
    } else {
      const closed = open.pop();
      if (closed === undefined) continue;
      if (token.type === 'link_close') links -= 1;
      const outer = open.at(-1)?.children ?? root;
      const isTooDeep = open.length >= MAX_MARKS;
      outer.push(...closeMark(closed, isTooDeep, links > 0));
    }
  }
  return trimInlines(mergeInlines(root));
}

const marks = { strong_open: 'strong', em_open: 'emphasis', s_open: 'delete' } as const;

function closeMark(
  { token, children: inner }: OpenMark,
  isTooDeep: boolean,
  inLink: boolean,
): readonly Inline[] {
  const children = mergeInlines(inner);
  if (token.type === 'link_open') {
    const url = inLink ? undefined : toSafeUrl(String(token.attrGet('href') ?? ''));
    if (url === undefined) return children;
    if (!hasWords(children)) return [{ type: 'link', url, children: [{ type: 'text', value: url }] }];
    const words = readWords(children);
    if (token.info === 'auto' && url.startsWith('mailto:')) return cutMailLink(words, url);
    const link = { type: 'link', url, children } as const;
    // A bare address is its own label.
    const masked = token.info === 'auto' ? undefined : findMaskedHost(words, url);
    return masked === undefined ? [link] : [link, { type: 'text', value: ` (${masked})` }];
  }
  const type = marks[token.type as keyof typeof marks] as (typeof marks)[keyof typeof marks] | undefined;
  return type === undefined || isTooDeep || !hasWords(children) ? children : [{ type, children }];
}

/** A bare mail address ends where text of East Asia begins. */
function cutMailLink(words: string, url: string): readonly Inline[] {
  const [address = ''] = /^[^\s@]{1,64}@(?:[A-Za-z\d-]{1,63}\.){1,9}[A-Za-z]{2,63}/.exec(words) ?? [];
  const rest = words.slice(address.length);
  if (address === '' || !isUnspaced(rest.charAt(0))) {
    return [{ type: 'link', url, children: [{ type: 'text', value: words }] }];
  }
  return [
    { type: 'link', url: `mailto:${address}`, children: [{ type: 'text', value: address }] },
    { type: 'text', value: rest },
  ];
}

function addInline(nodes: Inline[], token: Token): void {
  switch (token.type) {
    case 'text':
      nodes.push(...splitLines(token.content));
      return;
    case 'softbreak':
    case 'hardbreak':
      nodes.push({ type: 'break' });
      return;
    case 'code_inline': {
      const value = cleanText(token.content).replaceAll('\n', ' ');
      if (value.trim() !== '') nodes.push({ type: 'inlineCode', value });
      return;
    }
    case 'html_inline':
      nodes.push(...parseHtml(token.content));
      return;
    case 'image':
      // The description stands for the image.
      nodes.push(...splitLines((token.children ?? []).map(({ content }) => content).join('')));
      return;
    default:
      nodes.push(...splitLines(token.content));
  }
}

/** HTML as it is written. Only `<br>` becomes a line break, because cells of tables cannot have another one. */
function parseHtml(html: string): Inline[] {
  return html
    .split(lineBreak)
    .flatMap((piece, at) => [...(at === 0 ? [] : [{ type: 'break' } as const]), ...splitLines(piece)]);
}

/** Splits text at line ends, which are meant as such in minutes of a meeting. */
function splitLines(text: string): Inline[] {
  const tidy = cleanText(text);
  if (!tidy.includes('\n')) return tidy === '' ? [] : [{ type: 'text', value: tidy }];
  return tidy
    .split('\n')
    .flatMap((value, at) => [
      ...(at === 0 ? [] : [{ type: 'break' } as const]),
      ...(value === '' ? [] : [{ type: 'text', value } as const]),
    ]);
}

/** Merges adjacent texts and drops blanks next to line breaks. */
function mergeInlines(nodes: readonly Inline[]): Inline[] {
  const merged: Inline[] = [];
  let texts: string[] = [];
  const flush = (following?: Inline): void => {
    const joined = texts.join('');
    const start = merged.at(-1)?.type === 'break' ? joined.trimStart() : joined;
    const value = following?.type === 'break' ? start.trimEnd() : start;
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

function readWords(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => ('children' in node ? readWords(node.children) : 'value' in node ? node.value : ' '))
    .join('');
}

function trimInlines(nodes: readonly Inline[]): Inline[] {
  let from = 0;
  let to = nodes.length;
  while (from < to && isBlank(nodes[from])) from += 1;
  while (to > from && isBlank(nodes[to - 1])) to -= 1;
  return nodes.slice(from, to).map((node, at, trimmed) => {
    if (node.type !== 'text') return node;
    const value = at === 0 ? node.value.trimStart() : node.value;
    return { type: 'text', value: at === trimmed.length - 1 ? value.trimEnd() : value };
  });
}

function isBlank(node: Inline | undefined): boolean {
  return node?.type === 'break' || (node?.type === 'text' && node.value.trim() === '');
}
