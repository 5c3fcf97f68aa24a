import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseText } from '../../report/parse-text.ts';
import { blocksToText } from './blocks.ts';
import type { FlowPart } from './message.ts';
import { headingPart, toRichText } from './rich-text.ts';
import { measurePart, splitFlow } from './split-flow.ts';

function read(flow: readonly FlowPart[]): string {
  return blocksToText([{ type: 'rich_text', elements: flow.map(({ part }) => part) }]);
}

function flowOf(markdown: string): readonly FlowPart[] {
  return [headingPart('Summary', 1), ...toRichText(parseText(markdown))];
}

describe('splitFlow', () => {
  it('takes everything if there is room', () => {
    const flow = flowOf('one\n\n- two');
    expect(splitFlow(flow, { characters: 100, elements: 10 })).toEqual({ fitting: flow, rest: [] });
  });

  it('divides a text between lines and repeats its heading', () => {
    const flow = flowOf(`${'first '.repeat(20).trim()}\n\n${'second '.repeat(20).trim()}`);
    const { fitting, rest } = splitFlow(flow, { characters: 200, elements: 10 });
    expect(read(fitting)).toBe(`Summary\n${'first '.repeat(20).trim()}`);
    expect(read(rest)).toBe(`Summary (continued)\n${'second '.repeat(20).trim()}`);
  });

  it('writes the numbers of a list that continues as text', () => {
    const items = Array.from(
      { length: 6 },
      (_item, at) => `${String(at + 1)}. item ${String(at + 1)} ${'x'.repeat(40)}`,
    );
    const { fitting, rest } = splitFlow(flowOf(items.join('\n')), { characters: 160, elements: 50 });
    expect(read(fitting)).toContain('3. item 3');
    expect(read(rest)).toContain('• 4. item 4');
  });

  it('leaves no heading without the text under it', () => {
    const flow = [...flowOf('a'.repeat(60)), headingPart('Tasks', 1), ...toRichText(parseText('- b'))];
    const { fitting, rest } = splitFlow(flow, { characters: 73, elements: 50 });
    expect([read(fitting), read(rest)]).toEqual([`Summary\n${'a'.repeat(60)}`, 'Tasks\n• b']);
  });

  it('divides a short item of more elements than a message holds', () => {
    let rest = flowOf(`- ${'**a**b'.repeat(350)}\n- the last`);
    const pages: string[] = [];
    for (; rest.length > 0 && pages.length < 5;) {
      const taken = splitFlow(rest, { characters: 8300, elements: 600 });
      pages.push(read(taken.fitting));
      ({ rest } = taken);
    }
    expect(pages).toHaveLength(2);
    expect(pages.join('').match(/[ab]/g)?.length).toBeGreaterThanOrEqual(700);
    expect(pages[1]).toContain('the last');
  });

  it('continues after more headings in a row than there is room for', () => {
    let rest = flowOf(Array.from({ length: 50 }, (_, at) => `## heading ${at}`).join('\n'));
    const found: string[] = [];
    for (let page = 0; rest.length > 0 && page < 10; page += 1) {
      const taken = splitFlow(rest, { characters: 300, elements: 40 });
      found.push(...(read(taken.fitting).match(/heading \d+/g) ?? []));
      ({ rest } = taken);
    }
    expect(found).toEqual(Array.from({ length: 50 }, (_, at) => `heading ${at}`));
  });

  it('always ends, keeps within the room and loses no word', () => {
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
          const taken = splitFlow(rest, { characters: 300, elements: 40 });
          const sizes = taken.fitting.map(({ part }) => measurePart(part));
          expect(sizes.reduce((sum, { characters }) => sum + characters, 0)).toBeLessThanOrEqual(300);
          expect(sizes.reduce((sum, { elements }) => sum + elements, 0)).toBeLessThanOrEqual(40);
          expect(taken.fitting.length).toBeGreaterThan(0);
          found += count(taken.fitting);
          ({ rest } = taken);
        }
        expect(found).toBe(all);
      }),
      { numRuns: 60 },
    );
  });
});
