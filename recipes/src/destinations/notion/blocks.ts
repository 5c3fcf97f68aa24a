import {
  type Block,
  type List,
  type ListItem,
  listTableLines,
  type Table,
  type TextTree,
} from '../../report/text-tree.ts';
import { makeBlock, type NotionBlock, type NotionBlockType, notionLimits, type NotionText } from './page.ts';
import { measureBlock } from './plan-requests.ts';
import { chunkRuns, makeRuns, toRuns } from './rich-text.ts';

/** How many levels may be nested here, and the indent of text for which no level is left. */
interface Nesting {
  readonly levels: number;
  readonly indent: number;
}

/**
 * A text as Notion's blocks. A request takes two levels inside a block (developers.notion.com, Request limits): `levels`
 * is how many are left. Deeper text is placed beside its parent with an indent. Nothing is lost. Pure.
 */
export function renderBlocks(tree: TextTree, levels: 0 | 1 | 2 = 2): NotionBlock[] {
  return renderAll(tree.children, { levels, indent: 0 });
}

/** A check box, and text before and behind the first paragraph. */
interface ItemExtras {
  readonly checked?: boolean;
  readonly prefix?: string;
  readonly suffix?: string;
}

/** The same as one block of that type, such as a check box: its text is the first paragraph, the rest is inside it. */
export function renderItem(
  type: NotionBlockType,
  blocks: readonly Block[],
  more: ItemExtras = {},
): NotionBlock[] {
  return renderParent(type, blocks, more, { levels: 2, indent: 0 });
}

/** A text of any length as blocks of one type. */
export function renderText(type: NotionBlockType, runs: readonly NotionText[]): NotionBlock[] {
  return chunkRuns(runs).map((rich_text) => makeBlock(type, { rich_text }));
}

function renderAll(blocks: readonly Block[], nesting: Nesting): NotionBlock[] {
  return blocks.flatMap((block, at) => renderBlock(block, nesting, blocks[at - 1]));
}

function renderBlock(block: Block, nesting: Nesting, before: Block | undefined): NotionBlock[] {
  switch (block.type) {
    case 'paragraph':
      return renderText('paragraph', indent(toRuns(block.children), nesting));
    case 'heading':
      // Below the headings of the page.
      return renderText('heading_3', indent(toRuns(block.children), nesting));
    case 'list':
      return renderList(block, nesting, before);
    case 'blockquote':
      return renderParent('quote', block.children, {}, nesting);
    case 'code':
      return renderCode(block.value, block.lang);
    case 'table':
      return renderTable(block, nesting.levels > 0);
    case 'thematicBreak':
      return [makeBlock('divider', {})];
    default:
      return block satisfies never;
  }
}

/**
 * Notion counts numbered items that follow each other from 1, and requests take no other number (`list_start_index` is in
 * responses only). Where that would be wrong, the numbers are written as text.
 */
function renderList({ ordered, start = 1, children }: List, nesting: Nesting, before?: Block): NotionBlock[] {
  const isAfterNumbers = before?.type === 'list' && before.ordered;
  const isTogether = nesting.levels > 0 || children.every((item) => item.children.length < 2);
  const isNumberedByNotion = start === 1 && !isAfterNumbers && isTogether;
  return children.flatMap((item, at) => {
    if (!ordered) return renderListItem(item, 'bulleted_list_item', '', nesting);
    if (isNumberedByNotion) return renderListItem(item, 'numbered_list_item', '', nesting);
    return renderListItem(item, 'paragraph', `${String(start + at)}. `, nesting);
  });
}

function renderListItem(
  { checked, children }: ListItem,
  type: NotionBlockType,
  prefix: string,
  nesting: Nesting,
): NotionBlock[] {
  if (checked !== undefined) return renderParent('to_do', children, { checked, prefix }, nesting);
  return renderParent(type, children, { prefix }, nesting);
}

function renderParent(
  type: NotionBlockType,
  blocks: readonly Block[],
  { checked, prefix = '', suffix = '' }: ItemExtras,
  nesting: Nesting,
): NotionBlock[] {
  const [first, ...rest] = blocks;
  const hasText = first?.type === 'paragraph';
  const runs = [...makeRuns(prefix), ...(hasText ? toRuns(first.children) : []), ...makeRuns(suffix)];
  const [own = [], ...overflow] = chunkRuns(indent(runs, nesting));
  const isDeepest = nesting.levels === 0;
  const inner = isDeepest
    ? { levels: 0, indent: nesting.indent + 1 }
    : { levels: nesting.levels - 1, indent: 0 };
  const children = [
    ...overflow.map((rich_text) => makeBlock('paragraph', { rich_text })),
    ...renderAll(hasText ? rest : blocks, inner),
  ];
  const content = { rich_text: own, ...(checked === undefined ? {} : { checked }) };
  if (children.length === 0) return [makeBlock(type, content)];
  return isDeepest ? [makeBlock(type, content), ...children] : [makeBlock(type, { ...content, children })];
}

/** Two em spaces for each level. */
function indent(runs: NotionText[], { indent: depth }: Nesting): readonly NotionText[] {
  if (depth === 0 || runs.length === 0) return runs;
  return [...makeRuns('\u2003\u2003'.repeat(Math.min(depth, 20))), ...runs];
}

/** Bytes of one table, so that a request has room for more than the table. */
const maxTableBytes = 100_000;

/**
 * Tables of at most 100 rows, each with the head as its first row. A table that is too wide or too large, or where no
 * rows may be nested, becomes lines of text.
 */
function renderTable(table: Table, canNest: boolean): NotionBlock[] {
  const rows = table.children.map((row) => row.children.map((cell) => toRuns(cell.children)));
  const [head, ...body] = rows;
  if (head === undefined || head.length === 0) return [];
  const asLines = (): NotionBlock[] =>
    listTableLines(table).flatMap((cells) => renderText('paragraph', toRuns(cells)));
  const isSmall = rows.every((row) => row.every((runs) => runs.length <= notionLimits.items));
  if (!canNest || head.length > notionLimits.items || !isSmall) return asLines();
  const tables: NotionBlock[][] = [];
  const headRow = makeRow(head, head.length);
  const headBytes = measureBlock(headRow).bytes;
  if (headBytes > maxTableBytes / 2) return asLines();
  let left = 0;
  for (const row of body.map((cells) => makeRow(cells, head.length))) {
    const { bytes } = measureBlock(row);
    if (bytes > maxTableBytes / 2) return asLines();
    const last = tables.at(-1);
    if (last === undefined || last.length >= notionLimits.items || bytes > left) {
      tables.push([headRow, row]);
      left = maxTableBytes - headBytes;
    } else last.push(row);
    left -= bytes;
  }
  return (tables.length === 0 ? [[headRow]] : tables).map((children) =>
    makeBlock('table', { table_width: head.length, has_column_header: true, children }),
  );
}

function makeRow(cells: readonly (readonly NotionText[])[], width: number): NotionBlock {
  return makeBlock('table_row', { cells: Array.from({ length: width }, (_, index) => cells[index] ?? []) });
}

function renderCode(value: string, lang: string | undefined): NotionBlock[] {
  const language = toLanguage(lang);
  return chunkRuns(makeRuns(value)).map((rich_text) => makeBlock('code', { rich_text, language }));
}

/** Notion's name of a language; `plain text` for a language that Notion does not know. */
function toLanguage(lang = ''): string {
  const name = lang.trim().toLowerCase();
  const known = Object.hasOwn(languageAliases, name) ? (languageAliases[name] ?? '') : name;
  return languages.has(known) ? known : 'plain text';
}

/** The type `LanguageRequest` of Notion's SDK. */
const languages: ReadonlySet<string> = new Set(
  `abap|abc|agda|arduino|ascii art|assembly|bash|basic|bnf|c|c#|c++|clojure|coffeescript|coq|css|
   dart|dhall|diff|docker|ebnf|elixir|elm|erlang|f#|flow|fortran|gherkin|glsl|go|graphql|groovy|
   haskell|hcl|html|idris|java|javascript|json|julia|kotlin|latex|less|lisp|livescript|llvm ir|lua|
   makefile|markdown|markup|matlab|mathematica|mermaid|nix|notion formula|objective-c|ocaml|pascal|
   perl|php|plain text|powershell|prolog|protobuf|purescript|python|r|racket|reason|ruby|rust|sass|
   scala|scheme|scss|shell|smalltalk|solidity|sql|swift|toml|typescript|vb.net|verilog|vhdl|
   visual basic|webassembly|xml|yaml|java/c/c++/c#`
    .split('|')
    .map((name) => name.trim()),
);

const languageAliases: Readonly<Record<string, string>> = {
  bat: 'powershell',
  cpp: 'c++',
  cs: 'c#',
  csharp: 'c#',
  dockerfile: 'docker',
  golang: 'go',
  js: 'javascript',
  jsx: 'javascript',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shell',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  zsh: 'shell',
};
