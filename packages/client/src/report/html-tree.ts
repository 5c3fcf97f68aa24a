/**
 * Parses the HTML in a text into a tree. A tag that is not known or not closed is text, and one of a single letter with an
 * attribute without a value, because `a <b and c> d` is no markup; so is everything in code. Undefined for a text without a
 * known tag, but for line breaks. Never throws; takes linear time.
 */
export function parseHtml(text: string): readonly Node[] | undefined {
  if (!/<\/?[a-z]/i.test(text)) return undefined;
  const pieces = dropUnpaired(splitHtml(text));
  const isPlain = pieces.every(({ tag }) => tag === undefined || tag.name === 'br');
  return isPlain ? undefined : parseTree(pieces);
}

/** Tags that Markdown has a mark for. */
export const marks: ReadonlyMap<string, string> = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['i', '*'],
  ['em', '*'],
  ['s', '~~'],
  ['del', '~~'],
  ['strike', '~~'],
  ['code', '`'],
]);
/** Tags that only change the look. */
const looks = 'u span font small mark ins sub sup label o:p'.split(' ');
export const headings = 'h1 h2 h3 h4 h5 h6'.split(' ');
export const sections = 'div section article main html body dl'.split(' ');
export const blocks: ReadonlySet<string> = new Set([
  ...headings,
  ...sections,
  ...'p ul ol li blockquote pre table caption thead tbody tfoot tr td th hr dt dd'.split(' '),
]);
/** Tags without an end. Those that say nothing are left out. */
const empty: ReadonlySet<string> = new Set(['br', 'hr', 'input', 'meta', 'link', 'col']);
const known: ReadonlySet<string> = new Set([...marks.keys(), ...looks, ...blocks, ...empty, 'a']);

/** Tags whose end may be left out, with those that end them when they begin. */
const endedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['p', blocks],
  ['li', new Set(['li'])],
  ['dt', new Set(['dt', 'dd'])],
  ['dd', new Set(['dt', 'dd'])],
  ['td', new Set(['td', 'th', 'tr', 'thead', 'tbody', 'tfoot'])],
  ['th', new Set(['td', 'th', 'tr', 'thead', 'tbody', 'tfoot'])],
  ['tr', new Set(['tr', 'thead', 'tbody', 'tfoot'])],
]);

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  /** As they are written. */
  readonly attributes: string;
}

/** A tag, or the text between two of them. */
interface Piece {
  readonly source: string;
  readonly tag?: Tag;
}

/** A block of code, code in a line, or a tag. The parts of a tag are bounded, and none runs over the next `<`. */
const piecePattern =
  /(?:^|\n) {0,12}(```|~~~)[^\n]*\n[^]*?(?:(?<=\n) {0,12}\1|$)|`[^`\n]{1,400}`|<(\/?)([a-z][a-z0-9]{0,9}(?::[a-z])?)((?:\s{1,9}[a-z:_-]{1,30}(?:\s{0,9}=\s{0,9}(?:"[^"<>]{0,2000}"|'[^'<>]{0,2000}'|[^\s"'=<>`]{1,2000}))?){0,15})\s{0,9}\/?>/gi;

function splitHtml(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(piecePattern)) {
    const [source, , slash = '', tagName = '', attributes = ''] = match;
    const name = tagName.toLowerCase();
    // `a <b and c> d` compares.
    const isComparison = name.length === 1 && /\s[a-z:_-]{1,30}(?=\s|$)(?!\s{0,9}=)/i.test(attributes);
    if (!known.has(name) || isComparison) continue;
    if (match.index > from) pieces.push({ source: text.slice(from, match.index) });
    pieces.push({ source, tag: { name, isEnd: slash !== '', attributes } });
    from = match.index + source.length;
  }
  if (from < text.length) pieces.push({ source: text.slice(from) });
  return pieces;
}

/** Tags without their other half become text. */
function dropUnpaired(pieces: readonly Piece[]): readonly Piece[] {
  const open = new Map<string, number[]>();
  const unpaired = new Set<number>();
  pieces.forEach(({ tag }, at) => {
    if (tag === undefined || empty.has(tag.name) || endedBy.has(tag.name)) return;
    const places = open.get(tag.name) ?? [];
    open.set(tag.name, places);
    if (!tag.isEnd) places.push(at);
    else if (places.pop() === undefined) unpaired.add(at);
  });
  for (const at of [...open.values()].flat()) unpaired.add(at);
  const joined: Piece[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    if (texts.length > 0) joined.push({ source: texts.join('') });
    texts = [];
  };
  pieces.forEach((piece, at) => {
    if (piece.tag === undefined || unpaired.has(at)) texts.push(piece.source);
    else {
      flush();
      joined.push(piece);
    }
  });
  flush();
  return joined;
}

export type Node = string | Element;

export interface Element {
  readonly name: string;
  readonly attributes: string;
  readonly children: Node[];
  /** Whether blocks stand in it. Editors put marks around blocks that are not meant as marks. */
  holdsBlocks: boolean;
}

const attributePattern = /\s([a-z:_-]{1,30})(?:\s{0,9}=\s{0,9}("[^"]*"|'[^']*'|[^\s"']+))?/gi;

/** The value of an attribute; '' for one without a value, undefined where there is none. */
export function readAttribute({ attributes }: Element, name: string): string | undefined {
  for (const [, found = '', value = ''] of attributes.matchAll(attributePattern)) {
    if (found.toLowerCase() === name) return value.replace(/^(["'])(.*)\1$/s, '$2');
  }
  return undefined;
}

/** Writes the character references out that stand for signs of HTML. Markdown reads all of them by itself. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(nbsp|amp|lt|gt|quot|apos|#39);/g, (_all, name: string) => references[name] ?? '');
}

const references: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
};

/** Tags that are nested deeper only lose their look. */
const MAX_DEPTH = 24;

function parseTree(pieces: readonly Piece[]): readonly Node[] {
  const root: Element = { name: '', attributes: '', children: [], holdsBlocks: true };
  const open: Element[] = [root];
  const add = (node: Node): void => {
    open.at(-1)?.children.push(node);
  };
  for (const { source, tag } of pieces) {
    if (tag === undefined) add(source);
    else if (tag.isEnd) {
      const at = open.findLastIndex(({ name }) => name === tag.name);
      if (at > 0) open.length = at;
    } else {
      while (endedBy.get(open.at(-1)?.name ?? '')?.has(tag.name) === true) open.pop();
      const { name, attributes } = tag;
      const element: Element = { name, attributes, children: [], holdsBlocks: false };
      if (blocks.has(name)) for (const outer of open) outer.holdsBlocks = true;
      if (empty.has(name)) add(element);
      else if (open.length <= MAX_DEPTH) {
        add(element);
        open.push(element);
      }
    }
  }
  return root.children;
}
