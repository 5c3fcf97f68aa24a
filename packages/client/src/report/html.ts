import {
  blocks,
  decodeReferences,
  type Element,
  headings,
  marks,
  type Node,
  parseHtml,
  readAttribute,
  sections,
} from './html-tree.ts';

/**
 * Rewrites the HTML of a report as Markdown, so that lists, tables, marks and links mean the same however they are written.
 * Markdown around it stays, and so do character references, which the reader of Markdown decodes. A text without a known tag is
 * returned as it is. Never throws; takes linear time.
 */
export function htmlToMarkdown(text: string): string {
  const nodes = parseHtml(text);
  return nodes === undefined ? text : writeBlocks(nodes, 'asWritten').trim();
}

/** What blanks and line ends mean: what they mean in Markdown, a blank, or a blank in the cell of a table. */
type Blanks = 'asWritten' | 'collapsed' | 'inCell';

/** Paragraphs of what stands between blocks, and the blocks. */
function writeBlocks(nodes: readonly Node[], blanks: Blanks): string {
  const written: string[] = [];
  let inline: Node[] = [];
  let isRow = false;
  const flush = (): void => {
    const text = writeInline(inline, blanks);
    if (text.trim() !== '') written.push(blanks === 'asWritten' ? trimLines(text) : text.trim());
    inline = [];
  };
  for (const node of nodes) {
    if (typeof node === 'string' && (inline.length === 0 || node.includes('\n'))) isRow = isRowBegin(node);
    // A block in the cell of a table in Markdown would end the row.
    if (typeof node === 'string' || isRow || !(blocks.has(node.name) || node.holdsBlocks)) {
      inline.push(node);
      continue;
    }
    flush();
    const block = writeBlock(node, blanks);
    if (block.trim() !== '') written.push(block);
  }
  flush();
  return written.join('\n\n');
}

/** Without empty lines at both ends; the blanks of the first line stay, because they may be an indent. */
function trimLines(text: string): string {
  const begin = text.slice(0, text.length - text.trimStart().length).lastIndexOf('\n') + 1;
  return text.slice(begin).trimEnd();
}

function writeBlock(element: Element, blanks: Blanks): string {
  const { name, children } = element;
  if (name === 'ul') return writeList(children);
  if (name === 'ol')
    return writeList(children, Number.parseInt(readAttribute(element, 'start') ?? '1', 10) || 1);
  if (name === 'li') return writeItem(children, '- ');
  if (name === 'table') return writeTable(children);
  if (name === 'hr') return '---';
  if (name === 'pre') return `\`\`\`\n${writeSource(children).replaceAll('```', "'''")}\n\`\`\``;
  if (name === 'blockquote') return writeBlocks(children, 'collapsed').replaceAll(/^/gm, '> ');
  if (headings.includes(name)) {
    return `${'#'.repeat(Number(name.slice(1)))} ${writeInline(children, 'collapsed').replaceAll('\n', ' ').trim()}`;
  }
  if (sections.includes(name) || !blocks.has(name)) return writeBlocks(children, blanks);
  return writeBlocks(children, 'collapsed');
}

/** `start`: the number of the first item; undefined: bullets. */
function writeList(nodes: readonly Node[], start?: number): string {
  let number = start ?? 0;
  return nodes
    .filter((node) => typeof node !== 'string' || node.trim() !== '')
    .map((node) => {
      const isItem = typeof node !== 'string' && node.name === 'li';
      if (isItem) number = Number.parseInt(readAttribute(node, 'value') ?? '', 10) || number;
      const marker = start === undefined ? '- ' : `${String(number)}. `;
      number += 1;
      return writeItem(isItem ? node.children : [node], marker);
    })
    .filter((item) => item !== '')
    .join('\n');
}

function writeItem(children: readonly Node[], marker: string): string {
  // A list in an item follows its text without an empty line.
  const text = writeBlocks(children, 'collapsed')
    .replaceAll(/\n\n(?=(?:-|\d+\.) )/g, '\n')
    .replace(/^(\[[ x]\])\s{1,9}/, '$1 ');
  if (text === '') return '';
  return marker + text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(marker.length)}`);
}

function writeTable(nodes: readonly Node[]): string {
  const rows = listRows(nodes).map((row) =>
    row.children.flatMap((cell) => {
      if (typeof cell === 'string' || (cell.name !== 'td' && cell.name !== 'th')) return [];
      return [writeInline(cell.children, 'inCell').trim().replaceAll('|', '\\|')];
    }),
  );
  const width = Math.max(0, ...rows.slice(0, 1).map((row) => row.length));
  const [head, ...body] = rows.map((row) => `| ${row.join(' | ')} |`);
  const table =
    head === undefined || width === 0 ? '' : [head, `|${'---|'.repeat(width)}`, ...body].join('\n');
  const outside = writeBlocks(listOutside(nodes), 'collapsed');
  return outside === '' || table === '' ? outside + table : `${outside}\n\n${table}`;
}

/** What stands in a table outside of its cells: its caption, and what editors left there. */
function listOutside(nodes: readonly Node[], isInRow = false): readonly Node[] {
  return nodes.flatMap((node): readonly Node[] => {
    if (typeof node === 'string') return node.trim() === '' ? [] : [node];
    if (['tr', 'thead', 'tbody', 'tfoot'].includes(node.name)) {
      return listOutside(node.children, node.name === 'tr');
    }
    return isInRow && (node.name === 'td' || node.name === 'th') ? [] : [node];
  });
}

function listRows(nodes: readonly Node[]): readonly Element[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    if (node.name === 'tr') return [node];
    return ['thead', 'tbody', 'tfoot'].includes(node.name) ? listRows(node.children) : [];
  });
}

function writeInline(all: readonly Node[], blanks: Blanks): string {
  const nodes = joinMarks(all);
  const written: string[] = [];
  let last = '';
  let isRow = false;
  nodes.forEach((node, at) => {
    const text = writeNode(node, { blanks, isRow, last, next: nodes[at + 1] });
    if (text === '') return;
    if (typeof node === 'string' && (last === '' || text.includes('\n'))) {
      isRow = isRowBegin(text);
    }
    written.push(text);
    last = text.at(-1) ?? '';
  });
  return written.join('');
}

/** Whether the last line of a text begins as the row of a table in Markdown. */
function isRowBegin(text: string): boolean {
  return /^ {0,3}\|/.test(text.slice(text.lastIndexOf('\n') + 1));
}

/** Joins neighbours of one mark: Markdown has no sign for the end of one and the begin of the next. */
function joinMarks(nodes: readonly Node[]): readonly Node[] {
  const joined: Node[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    const mark = typeof node === 'string' ? undefined : marks.get(node.name);
    const isSame = mark !== undefined && typeof last === 'object' && marks.get(last.name) === mark;
    if (isSame && typeof node === 'object')
      joined[joined.length - 1] = { ...last, children: [...last.children, ...node.children] };
    else joined.push(node);
  }
  return joined;
}

interface InlinePlace {
  readonly blanks: Blanks;
  /** In the row of a table in Markdown. */
  readonly isRow: boolean;
  /** The sign before. */
  readonly last: string;
  readonly next: Node | undefined;
}

function writeNode(node: Node, { blanks, isRow, last, next }: InlinePlace): string {
  if (typeof node === 'string') {
    if (blanks === 'asWritten') return node;
    const words = node.replaceAll('&nbsp;', ' ').replaceAll(/\s+/g, ' ');
    return last === '\n' || last === ' ' ? words.trimStart() : words;
  }
  if (node.name === 'br') return blanks === 'inCell' || isRow ? '<br>' : '\n';
  if (node.name === 'input') return writeBox(node);
  if (blocks.has(node.name)) return ` ${writeInline(node.children, blanks)} `;
  return writeElement(node, blanks, last, firstSign(next));
}

/** A check box as Markdown has it. */
function writeBox(node: Element): string {
  if (readAttribute(node, 'type')?.toLowerCase() !== 'checkbox') return '';
  return readAttribute(node, 'checked') === undefined ? '[ ] ' : '[x] ';
}

function firstSign(node: Node | undefined): string {
  return typeof node === 'string' ? (node[0] ?? '') : '';
}

/** A mark, a link or what only changes the look. */
function writeElement(element: Element, blanks: Blanks, before: string, after: string): string {
  const { name, children } = element;
  if (name === 'code')
    return `\`${writeSource(children)
      .replaceAll(/[\s`]+/g, ' ')
      .trim()}\``;
  const inner = writeInline(children, blanks);
  const words = inner.trim();
  // `10<sup>6</sup>` is not 106.
  if (name === 'sup' && /^[-+−]?\d{1,9}$/.test(words) && /\d/.test(before)) return `^${words}`;
  const mark = marks.get(name);
  if (words === '' || (mark === undefined && name !== 'a') || words.includes('\n')) return inner;
  const [begin, end] = [
    inner.slice(0, inner.indexOf(words)),
    inner.slice(inner.indexOf(words) + words.length),
  ];
  if (mark === undefined) return `${begin}${writeLink(words, readAttribute(element, 'href') ?? '')}${end}`;
  // Markdown knows no mark between a punctuation mark inside and a letter outside.
  const opening = isLetter(begin === '' ? before : ' ') ? takePunctuation(words, 'begin') : '';
  const closing = isLetter(end === '' ? after : ' ') ? takePunctuation(words, 'end') : '';
  const core = words.slice(opening.length, words.length - closing.length);
  if (core === '' || core.includes(mark)) return inner;
  return `${begin}${opening}${mark}${core}${mark}${closing}${end}`;
}

/** Beside signs of East Asia marks may stand. */
function isLetter(sign: string): boolean {
  return /[\p{L}\p{N}]/u.test(sign) && !/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u.test(sign);
}

/** At most a few signs. */
function takePunctuation(words: string, side: 'begin' | 'end'): string {
  const pattern = side === 'begin' ? /^[\p{P}\p{S}]{1,4}/u : /[\p{P}\p{S}]{1,4}$/u;
  return pattern.exec(side === 'begin' ? words.slice(0, 4) : words.slice(-4))?.[0] ?? '';
}

function writeLink(words: string, href: string): string {
  const address = href.trim();
  if (address === '' || /[\s<>]/.test(address)) return words;
  return `[${words.replaceAll(/[[\]]/g, '\\$&')}](<${address}>)`;
}

/** The text alone. */
function writeSource(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return decodeReferences(node);
      return node.name === 'br' ? '\n' : writeSource(node.children);
    })
    .join('');
}
