import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseText } from '../text/parse-text.ts';
import { readBlocks } from './read-blocks.ts';
import { type FlowPart, headingPart, toRichText } from './rich-text.ts';
import { measure } from './room.ts';
import { takeFlow } from './take-flow.ts';

function read(flow: readonly FlowPart[]): string {
  return readBlocks([{ type: 'rich_text', elements: flow.map(({ part }) => part) }]);
}

function flowOf(markdown: string): readonly FlowPart[] {
  return [headingPart('Summary', 1), ...toRichText(parseText(markdown))];
}

describe('takeFlow', () => {
  it('keeps all that there is room for', () => {
    const flow = flowOf('one\n\n- two');
    expect(takeFlow(flow, { characters: 100, elements: 10 })).toEqual({ kept: flow, rest: [] });
  });

  it('divides a text between lines, and says again what it is', () => {
    const flow = flowOf(`${'first '.repeat(20).trim()}\n\n${'second '.repeat(20).trim()}`);
    const { kept, rest } = takeFlow(flow, { characters: 200, elements: 10 });
    expect(read(kept)).toBe(`Summary\n${'first '.repeat(20).trim()}`);
    expect(read(rest)).toBe(`Summary (continued)\n${'second '.repeat(20).trim()}`);
  });

  it('writes the numbers of a list that goes on elsewhere', () => {
    const items = Array.from({ length: 6 }, (_item, at) => `1. item ${String(at + 1)} ${'x'.repeat(40)}`);
    const { kept, rest } = takeFlow(flowOf(items.join('\n')), { characters: 160, elements: 50 });
    expect(read(kept)).toContain('3. item 3');
    expect(read(rest)).toContain('• 4. item 4');
  });

  it('leaves no heading without what is under it', () => {
    const flow = [...flowOf('a'.repeat(60)), headingPart('Tasks', 1), ...toRichText(parseText('- b'))];
    const { kept, rest } = takeFlow(flow, { characters: 73, elements: 50 });
    expect([read(kept), read(rest)]).toEqual([`Summary\n${'a'.repeat(60)}`, 'Tasks\n• b']);
  });

  it('divides an item that is short to read and made of more pieces than a message holds', () => {
    let rest = flowOf(`- ${'*a*b'.repeat(350)}\n- the last`);
    const pages: string[] = [];
    for (; rest.length > 0 && pages.length < 5;) {
      const taken = takeFlow(rest, { characters: 8300, elements: 600 });
      pages.push(read(taken.kept));
      ({ rest } = taken);
    }
    expect(pages).toHaveLength(2);
    expect(pages.join('').match(/[ab]/g)?.length).toBeGreaterThanOrEqual(700);
    expect(pages[1]).toContain('the last');
  });

  it('goes on behind more headings in a row than there is room for', () => {
    let rest = flowOf(Array.from({ length: 50 }, (_, at) => `## heading ${at}`).join('\n'));
    const found: string[] = [];
    for (let page = 0; rest.length > 0 && page < 10; page += 1) {
      const taken = takeFlow(rest, { characters: 300, elements: 40 });
      found.push(...(read(taken.kept).match(/heading \d+/g) ?? []));
      ({ rest } = taken);
    }
    expect(found).toEqual(Array.from({ length: 50 }, (_, at) => `heading ${at}`));
  });

  it('always comes to an end, within the room, and loses no word', () => {
    const word = fc.constantFrom(
      'alpha',
      '**beta**',
      '`gamma`',
      '[d](https://example.com/x)',
      '👩‍👩‍👧',
      '\n\n',
      '\n- ',
      '\n1. ',
      '\n> ',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 300 }), (bits) => {
        let rest = flowOf(bits.join(' '));
        const count = (flow: readonly FlowPart[]): number =>
          (read(flow).match(/alpha|beta|gamma|👩‍👩‍👧/g) ?? []).length;
        const all = count(rest);
        let found = 0;
        for (let page = 0; rest.length > 0; page += 1) {
          expect(page).toBeLessThan(100);
          const taken = takeFlow(rest, { characters: 300, elements: 40 });
          const sizes = taken.kept.map(({ part }) => measure(part));
          expect(sizes.reduce((sum, { characters }) => sum + characters, 0)).toBeLessThanOrEqual(300);
          expect(sizes.reduce((sum, { elements }) => sum + elements, 0)).toBeLessThanOrEqual(40);
          expect(taken.kept.length).toBeGreaterThan(0);
          found += count(taken.kept);
          ({ rest } = taken);
        }
        expect(found).toBe(all);
      }),
      { numRuns: 60 },
    );
  });
});
