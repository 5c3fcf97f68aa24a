import { readList, readParts, type Parts } from '../web/read-parts.ts';
import { refuseNotionBody, type NotionRefusal } from './notion-refusal.ts';
import { describeIssue, notionTextSchema } from './notion-text.ts';

/** The blocks a page may be created with: https://developers.notion.com/reference/block */
const blockTypes: ReadonlySet<string> = new Set([
  'audio',
  'bookmark',
  'breadcrumb',
  'bulleted_list_item',
  'callout',
  'code',
  'column',
  'column_list',
  'divider',
  'embed',
  'equation',
  'file',
  'heading_1',
  'heading_2',
  'heading_3',
  'heading_4',
  'image',
  'link_to_page',
  'numbered_list_item',
  'paragraph',
  'pdf',
  'quote',
  'synced_block',
  'table',
  'table_of_contents',
  'table_row',
  'to_do',
  'toggle',
  'video',
]);

const maxChildren = 100;
const maxBlocks = 1000;
const maxBodyBytes = 500_000;
/** Levels of children under a top-level block that one request may carry. */
const maxNesting = 2;

/** Checks the body of a page: kinds, numbers, nesting and lengths (https://developers.notion.com/reference/request-limits). */
export function checkNotionChildren(children: unknown): readonly Parts[] | NotionRefusal {
  if (children === undefined) return [];
  const refusal =
    checkLevel(children, 'body.children', 0) ??
    (countBlocks(readList(children)) > maxBlocks
      ? refuseNotionBody(`body failed validation: a request can hold ${String(maxBlocks)} blocks at most.`)
      : undefined) ??
    (Buffer.byteLength(JSON.stringify(children)) > maxBodyBytes
      ? refuseNotionBody(`body failed validation: a request can hold ${String(maxBodyBytes)} bytes at most.`)
      : undefined);
  return refusal ?? readList(children);
}

function checkLevel(children: unknown, path: string, level: number): NotionRefusal | undefined {
  if (!Array.isArray(children))
    return refuseNotionBody(`body failed validation: ${path} should be an array.`);
  if (children.length > maxChildren) {
    return refuseNotionBody(
      `body failed validation: ${path}.length should be ≤ \`${String(maxChildren)}\`, instead was \`${String(children.length)}\`.`,
    );
  }
  for (const [index, block] of readList(children).entries()) {
    const refusal = checkBlock(block, `${path}[${String(index)}]`, level);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkBlock(block: Parts, path: string, level: number): NotionRefusal | undefined {
  const type = readBlockType(block);
  if (type === undefined)
    return refuseNotionBody(`body failed validation: ${path} should hold one known block type.`);
  const content = readParts(block[type]);
  if (content['rich_text'] !== undefined) {
    const issue = notionTextSchema.safeParse(content['rich_text']).error?.issues[0];
    if (issue !== undefined) return refuseNotionBody(describeIssue(`${path}.${type}.rich_text`, issue));
  }
  if (content['children'] === undefined) return undefined;
  return level === maxNesting
    ? refuseNotionBody(`body failed validation: ${path}.${type}.children should be not present.`)
    : checkLevel(content['children'], `${path}.${type}.children`, level + 1);
}

/** A block's type: named, or told by its one content key. */
export function readBlockType(block: Parts): string | undefined {
  const type = block['type'] ?? Object.keys(block).find((key) => blockTypes.has(key));
  return typeof type === 'string' && blockTypes.has(type) && type in block ? type : undefined;
}

/** The blocks under a block. */
export function readBlockChildren(block: Parts): readonly Parts[] {
  const type = readBlockType(block);
  return type === undefined ? [] : readList(readParts(block[type])['children']);
}

function countBlocks(blocks: readonly Parts[]): number {
  return blocks.reduce((count, block) => count + 1 + countBlocks(readBlockChildren(block)), 0);
}
