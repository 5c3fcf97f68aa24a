import type { DigestTask, TaskGroup } from './tasks.ts';
import type { Block, Inline, TextTree } from './text-tree.ts';

/** The groups with their open tasks only. */
export function listOpenGroups(groups: readonly TaskGroup[]): readonly TaskGroup[] {
  return groups
    .map((group) => ({ ...group, tasks: group.tasks.filter(({ state }) => state === undefined) }))
    .filter(({ tasks }) => tasks.length > 0);
}

/** The text of a task as destinations without check boxes show it: struck out when it has ended, `☑` when it is done. */
export function showTask({ text, state }: DigestTask): TextTree {
  if (state === undefined) return text;
  const [first, ...rest] = strikeBlocks(text.children);
  if (first === undefined) return text;
  const box: Inline = { type: 'text', value: '☑ ' };
  if (state === 'cancelled') return { type: 'root', children: [first, ...rest] };
  if (first.type !== 'paragraph') {
    return { type: 'root', children: [{ type: 'paragraph', children: [box] }, first, ...rest] };
  }
  return { type: 'root', children: [{ ...first, children: [box, ...first.children] }, ...rest] };
}

/** Blocks with a line through the text of their paragraphs and lists. */
export function strikeBlocks(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block): Block => {
    if (block.type === 'paragraph')
      return { ...block, children: [{ type: 'delete', children: block.children }] };
    if (block.type !== 'list') return block;
    return {
      ...block,
      children: block.children.map((item) => ({ ...item, children: strikeBlocks(item.children) })),
    };
  });
}
