import { contentOf, makeBlock, type NotionBlock, notionLimits } from './page.ts';

/** One request for blocks: into the page, or into a block that an earlier request has created. */
export interface BlockRequest {
  readonly into: 'page' | CreatedBlock;
  readonly blocks: readonly NotionBlock[];
}

/** A block by the number of the request that creates it and its position in that request. */
interface CreatedBlock {
  readonly request: number;
  readonly index: number;
}

/** All requests for the blocks of a page, in order. */
export type PagePlan = readonly [BlockRequest, ...BlockRequest[]];

/**
 * The blocks of a page as the fewest requests in order, each within the limits (developers.notion.com, Request limits).
 * The first request creates the page, and its answer names no blocks. A block that is too large is created without its
 * children, which follow. Pure.
 */
export function planRequests(blocks: readonly NotionBlock[]): PagePlan {
  const requests: BlockRequest[] = [];
  addRequests(blocks.map(measureBlock), 'page', requests);
  const [first = { into: 'page', blocks: [] }, ...rest] = requests;
  return [first, ...rest];
}

function addRequests(
  sizes: readonly BlockSize[],
  into: BlockRequest['into'],
  requests: BlockRequest[],
): void {
  let batch: NotionBlock[] = [];
  let count = 0;
  let bytes = 0;
  const flush = (): void => {
    if (batch.length > 0) requests.push({ into, blocks: batch });
    batch = [];
    count = 0;
    bytes = 0;
  };
  for (const size of sizes) {
    const { block } = size;
    const isFull =
      batch.length >= notionLimits.items ||
      count + size.count > notionLimits.blocks ||
      bytes + size.bytes > notionLimits.bytes;
    if (isFull) flush();
    if (fitsOneRequest(size)) {
      batch.push(block);
      count += size.count;
      bytes += size.bytes;
      continue;
    }
    if (requests.length === 0) {
      // The first request names no blocks, so this one has to be the second.
      if (batch.length === 0) requests.push({ into, blocks: [] });
      flush();
    }
    const { children: _children, ...content } = contentOf(block);
    batch.push(makeBlock(block.type, content));
    const created = { request: requests.length, index: batch.length - 1 };
    flush();
    addRequests(size.children, created, requests);
  }
  flush();
}

function fitsOneRequest({ count, bytes, areListsShort }: BlockSize): boolean {
  return areListsShort && count <= notionLimits.blocks && bytes <= notionLimits.bytes;
}

/** What a block with its children takes of a request. */
export interface BlockSize {
  readonly block: NotionBlock;
  /** Blocks, itself included. */
  readonly count: number;
  /** UTF-8 bytes as JSON, with the separators. */
  readonly bytes: number;
  /** No list in it is longer than Notion allows. */
  readonly areListsShort: boolean;
  readonly children: readonly BlockSize[];
}

/** Pure. */
export function measureBlock(block: NotionBlock): BlockSize {
  const { children: inner = [], ...content } = contentOf(block);
  const children = inner.map(measureBlock);
  let count = 1;
  // With a comma and the list of children around them.
  let bytes = Buffer.byteLength(JSON.stringify(makeBlock(block.type, content))) + `,"children":[],`.length;
  let areListsShort = inner.length <= notionLimits.items;
  for (const child of children) {
    count += child.count;
    bytes += child.bytes;
    areListsShort &&= child.areListsShort;
  }
  return { block, count, bytes, areListsShort, children };
}
