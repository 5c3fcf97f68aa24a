import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { contentOf, makeBlock, type NotionBlock } from './page.ts';
import { type BlockRequest, measureBlock, planRequests } from './plan-requests.ts';
import { makeRuns } from './rich-text.ts';

function paragraph(text: string): NotionBlock {
  return makeBlock('paragraph', { rich_text: makeRuns(text) });
}

function toggle(children: readonly NotionBlock[]): NotionBlock {
  return makeBlock('toggle', { rich_text: makeRuns('more'), children });
}

function many(count: number, text = 'x'): NotionBlock[] {
  return Array.from({ length: count }, (_, index) => paragraph(`${text} ${index}`));
}

/** What the page holds when every request has been made. */
function applyRequests(requests: readonly BlockRequest[]): unknown[] {
  interface Made {
    readonly block: unknown;
    readonly inside: Made[];
  }
  const page: Made[] = [];
  const made: Made[][] = [];
  const build = (block: NotionBlock): Made => {
    const { children = [], ...content } = contentOf(block);
    return { block: { type: block.type, content }, inside: children.map(build) };
  };
  for (const { into, blocks } of requests) {
    const fresh = blocks.map(build);
    made.push(fresh);
    (into === 'page' ? page : (made[into.request]?.[into.index]?.inside ?? [])).push(...fresh);
  }
  return page;
}

describe('planRequests', () => {
  it('makes one request if everything fits', () => {
    expect(planRequests(many(100))).toEqual([{ into: 'page', blocks: many(100) }]);
    expect(planRequests([])).toEqual([{ into: 'page', blocks: [] }]);
  });

  it('continues in the page, and inside a block that is too large for one request', () => {
    const shape = (blocks: readonly NotionBlock[]): unknown[] =>
      planRequests(blocks).map(({ into, blocks: lot }) => [into, lot.length]);
    expect(shape(many(250))).toEqual([
      ['page', 100],
      ['page', 100],
      ['page', 50],
    ]);
    expect(shape([paragraph('a'), toggle(many(150)), paragraph('b')])).toEqual([
      ['page', 1],
      ['page', 1],
      [{ request: 1, index: 0 }, 100],
      [{ request: 1, index: 0 }, 50],
      ['page', 1],
    ]);
    expect(shape([toggle(many(150))])[0]).toEqual(['page', 0]);
    expect(shape([toggle([toggle(many(101))])])).toHaveLength(5);
  });

  it('keeps order and everything, and each request within the limits', () => {
    const leaf = fc.integer({ min: 1, max: 3000 }).map((length) => paragraph('é'.repeat(length)));
    const inner = fc.oneof(leaf, fc.array(leaf, { maxLength: 130 }).map(toggle));
    const outer = fc.oneof(leaf, fc.array(inner, { maxLength: 130 }).map(toggle));
    fc.assert(
      fc.property(fc.array(outer, { maxLength: 130 }), (blocks) => {
        const requests = planRequests(blocks);
        expect(applyRequests(requests)).toEqual(applyRequests([{ into: 'page', blocks }]));
        for (const { blocks: lot } of requests) {
          expect(lot.length).toBeLessThanOrEqual(100);
          expect(Buffer.byteLength(JSON.stringify(lot))).toBeLessThanOrEqual(400_100);
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('measureBlock', () => {
  it('counts nested blocks and bytes, and finds a nested list that is too long', () => {
    const long = makeBlock('toggle', { children: many(101) });
    const outer = makeBlock('toggle', { children: [paragraph('"ä"'), long] });
    expect(measureBlock(outer)).toMatchObject({
      count: 104,
      areListsShort: false,
      children: [
        { count: 1, areListsShort: true, children: [] },
        { count: 102, areListsShort: false },
      ],
    });
    expect(measureBlock(outer).bytes).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(outer)) + 1);
  });
});
