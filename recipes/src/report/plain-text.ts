import { toSafeUrl } from './safe-link.ts';
import {
  type Block,
  type Inline,
  type List,
  type ListItem,
  listTableLines,
  type TextTree,
} from './text-tree.ts';

/**
 * Renders a tree as plain text: `•` bullets indented by two spaces for each level, `1.`, check boxes ☐ and ☑, quotes with
 * `> `, the rows of a table as `Head: cell · Head: cell`, links with their address in brackets. Struck-out text stays between `~~`, because it would
 * otherwise say the opposite.
 */
export function plainText(tree: TextTree): string {
  return plainBlocks(tree.children);
}

function plainBlocks(blocks: readonly Block[]): string {
  return blocks.map(plainBlock).join('\n\n');
}

function plainBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return plainInlines(block.children);
    case 'heading':
      return plainLine(block.children);
    case 'list':
      return plainList(block);
    case 'blockquote':
      return plainBlocks(block.children).replaceAll(/^/gm, '> ');
    case 'code':
      return block.value;
    case 'table':
      return listTableLines(block).map(plainLine).join('\n');
    case 'thematicBreak':
      break;
  }
  return '---';
}

function plainList({ ordered, start = 1, children }: List): string {
  return children.map((item, at) => plainItem(item, ordered ? `${start + at}.` : '•')).join('\n');
}

function plainItem({ checked, children }: ListItem, mark: string): string {
  const box = checked === undefined ? '' : checked ? '☑ ' : '☐ ';
  const [first, ...rest] = children;
  const isMarked = first !== undefined && first.type !== 'list';
  const lines = [isMarked ? indent(plainBlock(first)) : '', ...(isMarked ? rest : children).map(plainNested)];
  return `${mark} ${box}${lines.join('\n')}`.replace(/ \n/, '\n');
}

function plainNested(block: Block): string {
  return `  ${indent(plainBlock(block))}`;
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

function plainLine(nodes: readonly Inline[]): string {
  return plainInlines(nodes).replaceAll('\n', ' ');
}

function plainInlines(nodes: readonly Inline[]): string {
  return nodes.map(plainInline).join('');
}

function plainInline(node: Inline): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value;
    case 'strong':
    case 'emphasis':
      return plainInlines(node.children);
    case 'delete':
      return `~~${plainInlines(node.children)}~~`;
    case 'link':
      return plainLink(plainInlines(node.children), node.url);
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
