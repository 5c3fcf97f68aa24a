import { contentOf, makeBlock, type NotionBlock, notionLimits } from './notion-page.ts';
import { type BlockWeight, weighBlock } from './weigh-block.ts';

/** One request for blocks: into the page, or into a block that an earlier request has made. */
export interface BlockRequest {
  readonly into: 'page' | MadeBlock;
  readonly blocks: readonly NotionBlock[];
}

/** All requests for the blocks of a page, in order. */
export type PagePlan = readonly [BlockRequest, ...BlockRequest[]];

/** The block that a request made at this place of its list. */
interface MadeBlock {
  readonly request: number;
  readonly index: number;
}

/**
 * The blocks of a page as the fewest requests in order, each within the limits (developers.notion.com, Request limits).
 * The first one makes the page and tells no ids of its blocks; a block that is too heavy is made without what is in it,
 * which follows. Pure.
 */
export function planRequests(blocks: readonly NotionBlock[]): PagePlan {
  const requests: BlockRequest[] = [];
  pour(blocks.map(weighBlock), 'page', requests);
  const [first = { into: 'page', blocks: [] }, ...rest] = requests;
  return [first, ...rest];
}

function pour(weights: readonly BlockWeight[], into: BlockRequest['into'], requests: BlockRequest[]): void {
  let lot: NotionBlock[] = [];
  let count = 0;
  let bytes = 0;
  const flush = (): void => {
    if (lot.length > 0) requests.push({ into, blocks: lot });
    lot = [];
    count = 0;
    bytes = 0;
  };
  for (const weight of weights) {
    const { block } = weight;
    const isFull =
      lot.length >= notionLimits.items ||
      count + weight.count > notionLimits.blocks ||
      bytes + weight.bytes > notionLimits.bytes;
    if (isFull) flush();
    if (isLight(weight)) {
      lot.push(block);
      count += weight.count;
      bytes += weight.bytes;
      continue;
    }
    if (requests.length === 0) {
      // The request that makes the page does not tell which blocks it made.
      if (lot.length === 0) requests.push({ into, blocks: [] });
      flush();
    }
    const { children: _inside, ...content } = contentOf(block);
    lot.push(makeBlock(block.type, content));
    const made = { request: requests.length, index: lot.length - 1 };
    flush();
    pour(weight.inside, made, requests);
  }
  flush();
}

/** It can be made in one request with all that is in it. */
function isLight({ count, bytes, isShort }: BlockWeight): boolean {
  return isShort && count <= notionLimits.blocks && bytes <= notionLimits.bytes;
}
