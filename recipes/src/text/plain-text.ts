import type { Block, Inline, List, ListItem, TextTree } from './text-tree.ts';

/**
 * A tree as text that reads well without being rendered: `•` bullets with two spaces for each level, `1.`, check boxes as
 * ☐ and ☑, quotes behind `> `, the cells of a row between ` | `, a link with its address in brackets. What was struck out
 * stands between `~~`: without that it would say the opposite.
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
      return block.children
        .map((row) => row.children.map((cell) => plainLine(cell.children)).join(' | '))
        .join('\n');
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
  return bareAddress(text) === bareAddress(url) ? text : `${text} (${url})`;
}

/** `example.com` of `https://example.com/`: what a text shows when it is the address itself. */
function bareAddress(text: string): string {
  const bare = text.replace(/^(?:https?:\/\/|mailto:)/, '');
  return bare.endsWith('/') ? bare.slice(0, -1) : bare;
}
