import createMarkdownIt, {
  type Env,
  type MarkdownIt,
  type StateBlock,
  type StateCore,
  type Token,
} from 'markdown-it';

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
 * Splits Markdown into tokens: CommonMark with GitHub's tables, task lists, strike-through and bare links. In addition to
 * markdown-it's tokens, the `list_item_open` of a task has `meta.checked`, and a `literal` token holds text without markup.
 * Addresses of links are returned as written; the caller must check them.
 */
export function parseMarkdown(markdown: string): Token[] {
  parser ??= createParser();
  return parser.parse(markdown, {});
}

function createParser(): MarkdownIt {
  const markdownIt = createMarkdownIt({ html: true, linkify: true, maxNesting: 2 * MAX_NESTING });
  markdownIt.normalizeLink = (url) => url;
  markdownIt.normalizeLinkText = (text) => text;
  markdownIt.validateLink = () => true;
  markdownIt.linkify
    .add('ftp:', null)
    .add('//', null)
    .add('www.', {
      validate: (text, at, linkify) => {
        const address = `http://www.${text.slice(at, at + MAX_LINK_LENGTH)}`;
        return Math.max(0, linkify.testSchemaAt(address, 'http:', 'http:'.length) - '//www.'.length);
      },
      normalize: (match) => {
        match.url = `http://${match.url}`;
      },
    });
  markdownIt.block.ruler.before('table', 'too-deep', keepDeepBlocks);
  markdownIt.block.ruler.at('reference', parseDefinition);
  markdownIt.core.ruler.after('block', 'tasks-and-rows', parseTasksAndRows);
  return markdownIt;
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
  const [, name = '', address = ''] =
    /^ {0,3}\[(?!\^)((?:[^[\]\\]|\\.){1,200})\]:[ \t]*(<[^<>]*>|[^\s<]\S*)[ \t]*(?:"[^"]*"|'[^']*'|\([^()]*\))?[ \t]*$/.exec(
      text,
    ) ?? [];
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
