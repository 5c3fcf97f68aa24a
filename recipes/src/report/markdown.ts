import createMarkdownIt, {
  type Env,
  type MarkdownIt,
  type StateBlock,
  type StateCore,
  type StateInline,
  type Token,
} from 'markdown-it';
import keepMarksBesideCjk from 'markdown-it-cjk-friendly';

import { hasPlaceholders, prepareLines, restoreSigns } from './prepare-lines.ts';

/** Nesting level (two for each list) from which blocks are shown as they are written. */
const MAX_NESTING = 50;
const MAX_DEFINITIONS = 50;
/** Characters that one definition may add through references: ten thousand `[a]` can name one long address. */
const MAX_REFERENCED = 10_000;
const MAX_LINK_LENGTH = 2000;

/** Type of tokens whose text is shown as it is written. */
export const literalToken = 'literal';

let parser: MarkdownIt | undefined;

/**
 * Splits Markdown into tokens: CommonMark with GitHub's tables, task lists, strike-through and bare links, and with marks
 * that may stand beside punctuation of East Asia (github.com/tats-u/markdown-cjk-friendly). In addition to markdown-it's tokens, the `list_item_open` of a task has `meta.checked`, and a `literal` token holds text without markup.
 * Addresses of links are returned as written; the caller must check them.
 */
export function parseMarkdown(markdown: string): Token[] {
  parser ??= createParser();
  const prepared = prepareLines(markdown);
  const tokens = parser.parse(prepared, {});
  if (hasPlaceholders(prepared)) for (const token of tokens) restoreToken(token);
  return tokens;
}

function restoreToken(token: Token): void {
  token.content = restoreSigns(token.content);
  for (const attribute of token.attrs ?? []) attribute[1] = restoreSigns(String(attribute[1]));
  for (const child of token.children ?? []) restoreToken(child);
}

function createParser(): MarkdownIt {
  const markdownIt = createMarkdownIt({ html: true, linkify: true, maxNesting: 2 * MAX_NESTING });
  markdownIt.use(keepMarksBesideCjk);
  markdownIt.normalizeLink = (url) => url;
  markdownIt.normalizeLinkText = (text) => text;
  markdownIt.validateLink = () => true;
  markdownIt.linkify
    .add('ftp:', null)
    .add('//', null)
    .add('http:', { validate: measureAddress })
    .add('https:', { validate: measureAddress })
    .add('www.', {
      validate: (text, at, linkify) => {
        const address = `//www.${text.slice(at, at + MAX_LINK_LENGTH)}`;
        return Math.max(0, measureAddress(address, 0, linkify) - '//www.'.length);
      },
      normalize: (match) => {
        match.url = `http://${match.url}`;
      },
    });
  markdownIt.inline.ruler.before('escape', 'path', keepPath);
  markdownIt.inline.ruler.before('emphasis', 'times', keepTimes);
  markdownIt.block.ruler.before('table', 'too-deep', keepDeepBlocks);
  markdownIt.block.ruler.at('reference', parseDefinition);
  markdownIt.core.ruler.after('block', 'tasks-and-rows', parseTasksAndRows);
  return markdownIt;
}

/** Signs of scripts that put no blank between words, in East and South East Asia: they end an address whose host is ASCII. */
const unspaced =
  /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u1100-\u11FF\u2E80-\u303F\u3040-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFFEF]/;
const asciiHost = /^\/\/(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?$/i;

/** Whether a sign is of a script that puts no blank between words. */
export function isUnspaced(sign: string): boolean {
  return unspaced.test(sign);
}

/** Length of the address that begins at `//`; 0: none does. A host with signs of East Asia may have them in its path. */
function measureAddress(text: string, at: number, linkify: MarkdownIt['linkify']): number {
  const address = matchAddress(text.slice(at, at + MAX_LINK_LENGTH), linkify);
  const end = address.search(unspaced);
  if (end === -1) return address.length;
  const [host = ''] = /^\/\/[^/?#]*/.exec(address) ?? [];
  const isHostWhole = asciiHost.test(address.slice(0, end)) && !host.slice(end).includes('.');
  return end < host.length && !isHostWhole
    ? address.length
    : matchAddress(address.slice(0, end), linkify).length;
}

function matchAddress(text: string, linkify: MarkdownIt['linkify']): string {
  const pattern = linkify.re.get_http_validator();
  pattern.lastIndex = 0;
  return pattern.exec(text)?.[0] ?? '';
}

const MAX_PATH = 260;

/** In a path of Windows (`C:\new\(x)`, `\\host\share`) a backslash escapes nothing. */
function keepPath(state: StateInline, isSilent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== 0x5c) return false;
  const before = src.slice(Math.max(0, pos - MAX_PATH), pos);
  const start = pos - before.length + Math.max(before.lastIndexOf(' '), before.lastIndexOf('\n')) + 1;
  if (!/^["'(]?(?:[A-Za-z]:\\|\\\\[\w.-]{1,60}\\)/.test(src.slice(start, start + 70))) return false;
  if (!isSilent) state.pending += '\\';
  state.pos += 1;
  return true;
}

/** `2*3*4`, `n*m` and `2**3` are no emphasis: a sign between letters or digits that are not of East Asia. */
function keepTimes(state: StateInline, isSilent: boolean): boolean {
  const { src, pos } = state;
  // The rule runs at every sign of Markdown.
  if (src.charCodeAt(pos) !== 0x2a || src[pos - 1] === '*') return false;
  const length = src[pos + 1] === '*' ? 2 : 1;
  const [before = ' ', after = ' '] = [src[pos - 1], src[pos + length]];
  if (after === '*' || unspaced.test(before) || unspaced.test(after)) return false;
  const isBetween =
    length === 1 ? isFactor(before, ')') && isFactor(after, '(') : /\d\d/.test(before + after);
  if (!isBetween) return false;
  if (!isSilent) state.pending += '*'.repeat(length);
  state.pos += length;
  return true;
}

function isFactor(sign: string, bracket: string): boolean {
  return sign === bracket || /[\p{L}\p{N}]/u.test(sign);
}

/** Keeps blocks that are nested too deep as text; markdown-it would drop them. */
function keepDeepBlocks(state: StateBlock, from: number, to: number, isSilent: boolean): boolean {
  if (state.level < MAX_NESTING || isSilent) return false;
  state.push(literalToken, '', 0).content = state.getLines(from, to, state.blkIndent, false);
  state.line = to;
  return true;
}

/**
 * Parses a line that defines an address: `[name]: https://example.com "title"`. A definition that no text refers to is shown
 * as it is written, because a text that is only a definition would vanish.
 */
function parseDefinition(state: StateBlock, line: number): boolean {
  const text = state.getLines(line, line + 1, state.blkIndent, false);
  const [, name = '', address = ''] = readDefinition(text) ?? [];
  const label = state.md.utils.normalizeReference(name);
  if (label === '') return false;
  const definitions = (state.env.references ??= Object.create(null) as NonNullable<Env['references']>);
  const literal = state.push(literalToken, '', 0);
  literal.content = text.trim();
  state.line = line + 1;
  if (!(label in definitions) && Object.keys(definitions).length < MAX_DEFINITIONS) {
    definitions[label] = createDefinition(state.md.utils.unescapeAll(address.replace(/^<|>$/g, '')), literal);
  }
  return true;
}

const MAX_DEFINITION = 3000;

/** The parts of a definition. Blanks are taken off before the expression, which would try each number of them. */
function readDefinition(text: string): RegExpExecArray | null {
  const line = text.trimEnd();
  if (line.length > MAX_DEFINITION || !/^ {0,3}\[/.test(line)) return null;
  return /^ {0,3}\[(?!\^)((?:[^[\]\\]|\\.){1,200})\]:[ \t]*(<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?$/.exec(
    line,
  );
}

function createDefinition(address: string, literal: Token): { title: string; readonly href: string } {
  let room = MAX_REFERENCED;
  return {
    title: '',
    /** markdown-it reads this for each link that refers to the definition. */
    get href() {
      literal.content = '';
      room -= address.length;
      return room < 0 ? '' : address;
    },
  };
}

/** Parses check boxes (`[x] done`), and adds surplus cells of a row to its last cell. */
function parseTasksAndRows(state: StateCore): void {
  const { tokens } = state;
  let lines: readonly string[] | undefined;
  tokens.forEach((token, at) => {
    if (token.type === 'list_item_open') parseCheckBox(token, tokens[at + 1], tokens[at + 2]);
    else if (token.type === 'tr_open' && token.map !== null) {
      lines ??= state.src.split('\n');
      addSurplusCells(tokens, at, lines[token.map[0]] ?? '');
    }
  });
}

function parseCheckBox(item: Token, paragraph: Token | undefined, inline: Token | undefined): void {
  const box =
    paragraph?.type === 'paragraph_open' ? /^\[([ xX])\]\s+(?=\S)/.exec(inline?.content ?? '') : null;
  if (box === null || inline === undefined) return;
  item.meta = { checked: box[1] !== ' ' };
  inline.content = inline.content.slice(box[0].length);
}

function addSurplusCells(tokens: readonly Token[], row: number, line: string): void {
  const cells = line.replace(/^[\s>]*\|?/, '').split(/(?<!\\)\|/);
  let width = 0;
  let last: Token | undefined;
  for (let at = row + 1; tokens[at] !== undefined && tokens[at]?.type !== 'tr_close'; at += 1) {
    if (tokens[at]?.type !== 'inline') continue;
    width += 1;
    last = tokens[at];
  }
  const surplus = cells.slice(width).map((cell) => cell.trim());
  const filled = surplus.filter((cell) => cell !== '');
  if (last !== undefined && filled.length > 0) last.content = [last.content, ...filled].join(' | ');
}
