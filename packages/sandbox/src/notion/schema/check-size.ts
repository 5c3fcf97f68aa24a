import { readList, readParts, type Parts } from '../../web/read-parts.ts';
import { refuseMismatches, refuseNotionBody, type NotionRefusal } from '../notion-refusal.ts';
import type { Mismatch } from './describe-mismatch.ts';

/** https://developers.notion.com/reference/request-limits */
const maxItems = 100;
const maxBlocks = 1000;
const maxBodyBytes = 500_000;
/** Characters, by the name of the field. */
const maxTextLengths: ReadonlyMap<string, number> = new Map([
  ['content', 2000],
  ['url', 2000],
  ['expression', 1000],
  ['email', 200],
  ['phone_number', 200],
]);
/** https://developers.notion.com/reference/property-object (an option's name) */
const maxOptionLength = 100;
const optionName = /\.(?:select|status|multi_select(?:\[\d+\])?|options\[\d+\])\.name$/;

/** Checks the documented limits of a body whose shape is right; the nesting is part of its shape. */
export function checkSize(body: Parts): NotionRefusal | undefined {
  if (Buffer.byteLength(JSON.stringify(body)) > maxBodyBytes) return refuseHuge();
  const overlong = findOverlong(body, 'body', '');
  if (overlong !== undefined) return refuseMismatches([overlong]);
  return countBlocks(body['children']) > maxBlocks
    ? refuseNotionBody(`body failed validation: a request can hold ${String(maxBlocks)} blocks at most.`)
    : undefined;
}

/** Also for a body that is so large that it was not read at all. */
export function refuseHuge(): NotionRefusal {
  return refuseNotionBody(
    `body failed validation: a request can hold ${String(maxBodyBytes)} bytes at most.`,
  );
}

function findOverlong(value: unknown, path: string, key: string): Mismatch | undefined {
  if (typeof value === 'string') {
    const limit = optionName.test(path) ? maxOptionLength : maxTextLengths.get(key);
    return limit !== undefined && value.length > limit ? tooLong(path, limit, value.length) : undefined;
  }
  if (Array.isArray(value) && value.length > maxItems) return tooLong(path, maxItems, value.length);
  for (const [inner, part] of Object.entries(typeof value === 'object' && value !== null ? value : {})) {
    const place = Array.isArray(value) ? `${path}[${inner}]` : `${path}.${inner}`;
    const found = findOverlong(part, place, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function tooLong(path: string, limit: number, length: number): Mismatch {
  return { path: `${path}.length`, expected: [`≤ \`${String(limit)}\``], value: length };
}

/** Blocks at every level: each holds its children in the one field that is named after its type. */
function countBlocks(blocks: unknown): number {
  return readList(blocks).reduce((count, block) => {
    const inner = Object.values(block).map((content) => countBlocks(readParts(content)['children']));
    return inner.reduce((sum, number) => sum + number, count + 1);
  }, 0);
}
