import { toSafeUrl } from './safe-link.ts';
import {
  type Block,
  type Inline,
  type List,
  type ListItem,
  listTableLines,
  type TextTree,
} from './text-tree.ts';

/** How a terminal shows parts of a text. Absent elsewhere: plain text has no styles. */
export interface TextStyle {
  /** Of headings and strong text. */
  readonly strong: (text: string) => string;
  readonly code: (text: string) => string;
}

const unstyled: TextStyle = { strong: (text) => text, code: (text) => text };

/**
 * Renders a tree as plain text: `•` bullets indented by two spaces for each level, `1.`, check boxes ☐ and ☑, quotes with
 * `> `, the rows of a table as `Head: cell · Head: cell`, links with their address in brackets. Struck-out text stays between `~~`, because it would
 * otherwise say the opposite.
 */
export function plainText(tree: TextTree, style: TextStyle = unstyled): string {
  return plainBlocks(tree.children, style);
}

function plainBlocks(blocks: readonly Block[], style: TextStyle): string {
  return blocks.map((block) => plainBlock(block, style)).join('\n\n');
}

function plainBlock(block: Block, style: TextStyle): string {
  switch (block.type) {
    case 'paragraph':
      return plainInlines(block.children, style);
    case 'heading':
      return style.strong(plainLine(block.children, style));
    case 'list':
      return plainList(block, style);
    case 'blockquote':
      return plainBlocks(block.children, style).replaceAll(/^/gm, '> ');
    case 'code':
      return style.code(block.value);
    case 'table':
      return listTableLines(block)
        .map((line) => plainLine(line, style))
        .join('\n');
    case 'thematicBreak':
      break;
  }
  return '---';
}

function plainList({ ordered, start = 1, children }: List, style: TextStyle): string {
  return children.map((item, at) => plainItem(item, ordered ? `${start + at}.` : '•', style)).join('\n');
}

function plainItem({ checked, children }: ListItem, mark: string, style: TextStyle): string {
  const box = checked === undefined ? '' : checked ? '☑ ' : '☐ ';
  const [first, ...rest] = children;
  const isMarked = first !== undefined && first.type !== 'list';
  const lines = [
    isMarked ? indent(plainBlock(first, style)) : '',
    ...(isMarked ? rest : children).map((block) => plainNested(block, style)),
  ];
  return `${mark} ${box}${lines.join('\n')}`.replace(/ \n/, '\n');
}

function plainNested(block: Block, style: TextStyle): string {
  return `  ${indent(plainBlock(block, style))}`;
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

function plainLine(nodes: readonly Inline[], style: TextStyle): string {
  return plainInlines(nodes, style).replaceAll('\n', ' ');
}

function plainInlines(nodes: readonly Inline[], style: TextStyle): string {
  return nodes.map((node) => plainInline(node, style)).join('');
}

function plainInline(node: Inline, style: TextStyle): string {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'inlineCode':
      return style.code(node.value);
    case 'strong':
      return style.strong(plainInlines(node.children, style));
    case 'emphasis':
      return plainInlines(node.children, style);
    case 'delete':
      return `~~${plainInlines(node.children, style)}~~`;
    case 'link':
      return plainLink(plainInlines(node.children, style), node.url);
    case 'break':
      break;
  }
  return '\n';
}

function plainLink(text: string, url: string): string {
  const isSame = bareAddress(text) === bareAddress(url) || toSafeUrl(text) === url;
  return isSame ? text : `${text} (${url})`;
}

/** `example.com` for `https://example.com/`, to compare the text of a link with its address. */
function bareAddress(text: string): string {
  const bare = text.replace(/^(?:https?:\/\/|mailto:)/, '');
  return bare.endsWith('/') ? bare.slice(0, -1) : bare;
}
