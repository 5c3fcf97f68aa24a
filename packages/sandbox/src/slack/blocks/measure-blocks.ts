import { readList } from '../../web/read-parts.ts';
import type { SlackObject } from '../slack-message.ts';

/** How much there is to read in blocks, in UTF-16 units. */
export interface BlockLengths {
  /** In the longest markdown block. */
  readonly markdown: number;
  readonly tables: number;
  readonly all: number;
}

export function measureBlocks(blocks: readonly SlackObject[]): BlockLengths {
  const measureKinds = (...kinds: readonly string[]): readonly number[] =>
    listBlocks(blocks)
      .filter(({ type }) => kinds.some((kind) => kind === type))
      .map(measureText);
  return {
    markdown: Math.max(0, ...measureKinds('markdown')),
    tables: measureKinds('table', 'data_table').reduce((sum, length) => sum + length, 0),
    all: blocks.reduce((sum, block) => sum + measureText(block), 0),
  };
}

/** The blocks, and those inside of containers. */
function listBlocks(blocks: readonly SlackObject[]): readonly SlackObject[] {
  return blocks.flatMap((block) => [block, ...readList(block['child_blocks'])]);
}

/** The text of everything inside; a block was checked before, so it is not deep. */
function measureText(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + measureText(part), 0);
  return Object.entries(value).reduce(
    (sum, [name, part]) =>
      sum + (name === 'text' && typeof part === 'string' ? part.length : measureText(part)),
    0,
  );
}
