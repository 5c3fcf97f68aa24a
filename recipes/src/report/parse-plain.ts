import type { Block, Inline, ListItem, TextTree } from './text-tree.ts';

/**
 * Parses text with little Markdown in it: words and usual signs in paragraphs, headings, and lists of bullets on one level, with
 * bold words between blanks. That is how most reports are written, and parsing all of Markdown takes many times as long. Undefined: there
 * is, or may be, more in it. Pure; takes linear time.
 */
export function parsePlain(markdown: string): TextTree | undefined {
  const children: Block[] = [];
  let paragraph: Inline[] | undefined;
  let items: ListItem[] | undefined;
  let bullet = '';
  let isItemOpen = false;
  for (const line of markdown.split('\n')) {
    if (line === '') {
      paragraph = undefined;
      isItemOpen = false;
      continue;
    }
    const [mark = '', sign = ''] = begin.exec(line) ?? [];
    const inlines = parseLine(mark === '' ? line : line.slice(mark.length));
    if (inlines === undefined) return undefined;
    if (sign.startsWith('#')) {
      children.push({ type: 'heading', depth: sign.length as 1 | 2 | 3 | 4 | 5 | 6, children: inlines });
      [paragraph, items, isItemOpen] = [undefined, undefined, false];
    } else if (mark !== '') {
      // Another sign begins another list.
      if (bullet !== '' && bullet !== sign) return undefined;
      bullet = sign;
      if (items === undefined) {
        items = [];
        children.push({ type: 'list', ordered: false, children: items });
      }
      items.push({ type: 'listItem', children: [{ type: 'paragraph', children: inlines }] });
      [paragraph, isItemOpen] = [undefined, true];
    } else if (paragraph !== undefined) paragraph.push({ type: 'break' }, ...inlines);
    else {
      // It belongs to the item.
      if (isItemOpen) return undefined;
      paragraph = inlines;
      items = undefined;
      children.push({ type: 'paragraph', children: paragraph });
    }
  }
  return { type: 'root', children };
}

const begin = /^([-*]|#{1,6}) /;

/** Signs that mean nothing to Markdown within a line. Those of links, such as a dot within a word, are left out. */
const usual = String.raw`[\p{L}\p{M}\p{N} ,;?!'’‘"“”„«»()%$€£№…–—、。「」『』（）？！：；，-]`;
const usualText = new RegExp(
  String.raw`^${usual}*(?:(?:\.(?=[ \d)"”’]|$)|:(?= |$)|\/(?!\/))${usual}*)*$`,
  'u',
);
/** No bullet, and no number of a list. */
const lineStart = /^(?!\d+[.)])[\p{L}\p{N}"“„«‘'(「（]/u;
const boldWords = /^[\p{L}\p{N}](?:.*[\p{L}\p{N}:])?$/u;
const afterBold = /^(?:[ ,.;:!?)]|$)/;
const beforeBold = /[ (]$/;

/** The content of one line; undefined where it is more than words and bold words. */
function parseLine(line: string): Inline[] | undefined {
  if (line.endsWith(' ')) return undefined;
  if (!line.includes('**')) {
    return lineStart.test(line) && usualText.test(line) ? [{ type: 'text', value: line }] : undefined;
  }
  const pieces = line.split('**');
  if (pieces.length % 2 === 0) return undefined;
  const inlines: Inline[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (!usualText.test(piece)) return undefined;
    if (at % 2 === 1) {
      if (!boldWords.test(piece)) return undefined;
      inlines.push({ type: 'strong', children: [{ type: 'text', value: piece }] });
      continue;
    }
    const [isFirst, isLast] = [at === 0, at === pieces.length - 1];
    const isFit =
      (isFirst ? piece === '' || lineStart.test(piece) : afterBold.test(piece)) &&
      (isLast || (isFirst && piece === '') || beforeBold.test(piece));
    if (!isFit) return undefined;
    if (piece !== '') inlines.push({ type: 'text', value: piece });
  }
  return inlines;
}
