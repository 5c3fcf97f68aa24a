/**
 * The texts of a report as one tree, whatever the destination: a part of mdast (github.com/syntax-tree/mdast) in which
 * nothing is left that a destination could take for markup of its own. Links lead to http, https or mailto; pictures,
 * HTML and footnotes have become text. Destinations render it by an exhaustive switch over `type`.
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
  /** Of an ordered list: the number of its first item, 1 unless given. */
  readonly start?: number;
  readonly children: readonly ListItem[];
}

export interface ListItem {
  readonly type: 'listItem';
  /** Absent: it has no check box. */
  readonly checked?: boolean;
  readonly children: readonly Block[];
}

/** The first row is the head; every row has as many cells as the first one. */
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
