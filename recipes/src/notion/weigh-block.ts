import {
  contentOf,
  type NotionBlock,
  type NotionContent,
  notionLimits,
  type NotionText,
} from './notion-page.ts';

/** What a block with all that is in it takes of a request. */
export interface BlockWeight {
  readonly block: NotionBlock;
  /** Blocks, itself included. */
  readonly count: number;
  /** UTF-8 bytes as JSON: never less than they are, and some for each block and run of text more. */
  readonly bytes: number;
  /** No list in it is longer than a request may have it. */
  readonly isShort: boolean;
  /** What is right inside it. */
  readonly inside: readonly BlockWeight[];
}

const nothing: readonly BlockWeight[] = [];

/** Weighs a block without writing it down: of an hour's transcript that would be megabytes of JSON, each time. Pure. */
export function weighBlock(block: NotionBlock): BlockWeight {
  const content = contentOf(block);
  const { children = [] } = content;
  const inside = children.length === 0 ? nothing : children.map(weighBlock);
  let count = 1;
  let bytes = weighOwn(block.type, content);
  let isShort = children.length <= notionLimits.items;
  for (const weight of inside) {
    count += weight.count;
    bytes += weight.bytes;
    isShort &&= weight.isShort;
  }
  return { block, count, bytes, isShort, inside };
}

/** The figures are the lengths of what JSON puts around: `{"type":"","":{"rich_text":[],"children":[]}},`, rounded up. */
function weighOwn(type: string, content: NotionContent): number {
  const { rich_text: runs, cells, language = '' } = content;
  let bytes = 60 + 2 * type.length;
  if (runs !== undefined) bytes += weighRuns(runs);
  if (content.checked !== undefined) bytes += 20;
  if (content.icon !== undefined) bytes += 50 + weighText(content.icon.emoji);
  if (content.table_width !== undefined) bytes += 60;
  if (language !== '') bytes += 20 + weighText(language);
  if (cells !== undefined) for (const cell of cells) bytes += 3 + weighRuns(cell);
  return bytes;
}

function weighRuns(runs: readonly NotionText[]): number {
  let bytes = 0;
  for (const { text, annotations } of runs) {
    bytes += 40 + weighText(text.content);
    if (text.link !== undefined) bytes += 20 + weighText(text.link.url);
    // With every look there is.
    if (annotations !== undefined) bytes += 110;
  }
  return bytes;
}

// oxlint-disable-next-line no-control-regex -- JSON escapes them
const escaped = /["\\\u0000-\u001f]/g;

/** Bytes of a well-formed text inside of JSON, which needs at most five more for what it escapes. */
function weighText(text: string): number {
  return Buffer.byteLength(text) + 5 * (text.match(escaped)?.length ?? 0);
}
