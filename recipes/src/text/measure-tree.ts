import type { Block, Inline, TextTree } from './text-tree.ts';

/**
 * How long a tree is to read, in UTF-16 units: its text, one for the end of a line, and one for the end of each
 * paragraph, heading, code, cell and rule. Addresses of links are not counted.
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
