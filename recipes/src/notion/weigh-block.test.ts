import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { makeBlock, type NotionBlock } from './notion-page.ts';
import { makeRuns } from './rich-text.ts';
import { weighBlock } from './weigh-block.ts';

const looks = { bold: true, italic: true, strikethrough: true, code: true, color: 'gray' } as const;
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom('"', '\\', '\n', 'я', '漢', '👩‍👩‍👧').map((piece) => piece.repeat(200)),
);
const anyRuns = fc
  .tuple(anyText, fc.boolean(), fc.boolean())
  .map(([text, isLooked, isLinked]) =>
    makeRuns(text, isLooked ? looks : undefined, isLinked ? 'https://example.com/ä?a="b"' : undefined),
  );
const leaf = anyRuns.chain((rich_text) =>
  fc.constantFrom<NotionBlock>(
    makeBlock('paragraph', { rich_text }),
    makeBlock('to_do', { rich_text, checked: false }),
    makeBlock('code', { rich_text, language: 'java/c/c++/c#' }),
    makeBlock('callout', { rich_text, icon: { type: 'emoji', emoji: '🗓️' } }),
    makeBlock('table', {
      table_width: 2,
      has_column_header: true,
      children: [makeBlock('table_row', { cells: [rich_text, []] })],
    }),
    makeBlock('divider', {}),
  ),
);
const anyBlock = fc.oneof(
  leaf,
  fc
    .tuple(anyRuns, fc.array(leaf, { maxLength: 5 }))
    .map(([rich_text, children]) => makeBlock('bulleted_list_item', { rich_text, children })),
);

describe('weighBlock', () => {
  it('never says less than the bytes that a block takes of a request, and not much more', () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        const { bytes, count } = weighBlock(block);
        const real = Buffer.byteLength(JSON.stringify(block)) + 1;
        const runs = JSON.stringify(block).split('"content"').length;
        expect(bytes).toBeGreaterThanOrEqual(real);
        // A line end counts for six bytes and takes two.
        expect(bytes).toBeLessThan(3 * real + 120 * (count + runs));
      }),
      { numRuns: 60 },
    );
  });

  it('counts what is inside, and sees a list that is too long wherever it is', () => {
    const line = makeBlock('paragraph', { rich_text: makeRuns('x') });
    const long = makeBlock('toggle', { children: Array.from({ length: 101 }, () => line) });
    expect(weighBlock(line)).toMatchObject({ count: 1, isShort: true, inside: [] });
    expect(weighBlock(makeBlock('toggle', { children: [line, long] }))).toMatchObject({
      count: 104,
      isShort: false,
      inside: [{ count: 1 }, { count: 102, isShort: false }],
    });
  });
});
