/**
 * The text of a report as one tree for all destinations: a subset of mdast (github.com/syntax-tree/mdast). Links lead to http,
 * https or mailto; images, HTML and footnotes are plain text. Destinations escape text and render the tree by an exhaustive
 * switch over `type`.
 */
export interface TextTree {
  readonly type: 'root';
  readonly children: readonly Block[];
}

export type Block =
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | {
      readonly type: 'heading';
      readonly depth: 1 | 2 | 3 | 4 | 5 | 6;
      readonly children: readonly Inline[];
    }
  | List
  | { readonly type: 'blockquote'; readonly children: readonly Block[] }
  | { readonly type: 'code'; readonly lang?: string; readonly value: string }
  | Table
  | { readonly type: 'thematicBreak' };

export interface List {
  readonly type: 'list';
  readonly ordered: boolean;
  /** Number of the first item of an ordered list; default 1. */
  readonly start?: number;
  readonly children: readonly ListItem[];
}

export interface ListItem {
  readonly type: 'listItem';
  /** State of the check box; absent: none. */
  readonly checked?: boolean;
  readonly children: readonly Block[];
}

/** The first row is the header; all rows have the same number of cells. */
export interface Table {
  readonly type: 'table';
  readonly children: readonly TableRow[];
}

export interface TableRow {
  readonly type: 'tableRow';
  readonly children: readonly TableCell[];
}

export interface TableCell {
  readonly type: 'tableCell';
  readonly children: readonly Inline[];
}

export type Inline =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'strong' | 'emphasis' | 'delete'; readonly children: readonly Inline[] }
  | { readonly type: 'inlineCode'; readonly value: string }
  | { readonly type: 'link'; readonly url: string; readonly children: readonly Inline[] }
  | { readonly type: 'break' };

/**
 * The rows of a table as lines, for places that have no tables: `Head: cell · Head: cell`, with bold heads. A table that is only a
 * head becomes one line of its cells.
 */
export function listTableLines({ children: [head, ...rows] }: Table): readonly (readonly Inline[])[] {
  const names = (head?.children ?? []).map(({ children }) => children);
  if (rows.length === 0) return names.length === 0 ? [] : [joinCells(names)];
  return rows.map(({ children }) =>
    joinCells(
      children.map(({ children: value }, at) => {
        const name = names[at] ?? [];
        if (value.length === 0 || name.length === 0) return value;
        return [{ type: 'strong', children: name }, { type: 'text', value: ': ' }, ...value];
      }),
    ),
  );
}

function joinCells(cells: readonly (readonly Inline[])[]): readonly Inline[] {
  const dot: Inline = { type: 'text', value: ' · ' };
  const filled = cells.filter((cell) => cell.length > 0);
  return filled.flatMap((cell, at) => (at === 0 ? cell : [dot, ...cell]));
}

/**
 * Length of a tree's text in UTF-16 units, plus one for each line end, paragraph, heading, code block, cell and rule.
 * Addresses of links are not counted.
 */
export function measureTree(tree: TextTree): number {
  return measureBlocks(tree.children);
}

function measureBlocks(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + measureBlock(block), 0);
}

function measureBlock(block: Block): number {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return measureInlines(block.children) + 1;
    case 'blockquote':
      return measureBlocks(block.children);
    case 'list':
      return block.children.reduce((sum, item) => sum + measureBlocks(item.children), 0);
    case 'table':
      return block.children.reduce(
        (sum, row) => row.children.reduce((inRow, cell) => inRow + measureInlines(cell.children) + 1, sum),
        0,
      );
    case 'code':
      return block.value.length + 1;
    case 'thematicBreak':
      break;
  }
  return 1;
}

function measureInlines(nodes: readonly Inline[]): number {
  return nodes.reduce((sum, node) => sum + measureInline(node), 0);
}

function measureInline(node: Inline): number {
  if ('children' in node) return measureInlines(node.children);
  return 'value' in node ? node.value.length : 1;
}
