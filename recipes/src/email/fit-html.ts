import { cutText } from '../text/cut-text.ts';
import { plainText } from '../text/plain-text.ts';
import type { Block, TextTree } from '../text/text-tree.ts';
import { type Html, htmlBlock } from './html-tree.ts';
import { htmlText } from './mail-page.ts';

/** As much as there was room for. */
export interface Fitted {
  readonly html: Html;
  /** UTF-8. */
  readonly bytes: number;
  readonly isCut: boolean;
}

/** Less than this is not worth a beginning of a paragraph. */
const leastRest = 300;

/** The blocks of a tree from the first one on, as long as they fit into `room` bytes; the next one by its beginning. */
export function fitTree({ children }: TextTree, room: number): Fitted {
  const parts: Html[] = [];
  let bytes = 0;
  for (const block of children.flatMap(splitList)) {
    const html = htmlBlock(block);
    const size = Buffer.byteLength(html) + 1;
    if (bytes + size > room) {
      const beginning = cutBlock(block, room - bytes);
      if (beginning !== '') parts.push(beginning);
      return { html: parts.join('\n'), bytes: bytes + Buffer.byteLength(beginning) + 1, isCut: true };
    }
    parts.push(html);
    bytes += size;
  }
  return { html: parts.join('\n'), bytes, isCut: false };
}

/** What is written of the first items, as many as fit; the rest is not even written, however much there is. */
export function fitItems<Item>(items: readonly Item[], write: (item: Item) => Html, room: number): Fitted {
  const pieces: Html[] = [];
  let bytes = 0;
  for (const item of items) {
    const piece = write(item);
    const size = Buffer.byteLength(piece) + 1;
    if (bytes + size > room) break;
    pieces.push(piece);
    bytes += size;
  }
  return { html: pieces.join('\n'), bytes, isCut: pieces.length < items.length };
}

/** A long list may be shown in part; the pieces of a short one would only look apart. */
function splitList(block: Block): readonly Block[] {
  if (block.type !== 'list' || block.children.length <= 40) return [block];
  const pieces: Block[] = [];
  for (let from = 0; from < block.children.length; from += 40) {
    const children = block.children.slice(from, from + 40);
    pieces.push({ ...block, children, ...(block.ordered ? { start: (block.start ?? 1) + from } : {}) });
  }
  return pieces;
}

/** The beginning of a block as plain text. A character takes up to six bytes: `&quot;`. */
function cutBlock(block: Block, room: number): Html {
  let length = room - 100;
  while (length >= leastRest) {
    const html = htmlText(cutText(plainText({ type: 'root', children: [block] }), length));
    if (Buffer.byteLength(html) + 1 <= room) return html;
    length = Math.floor(length / 2);
  }
  return '';
}
