import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createEventReader } from './event-stream.ts';

describe('createEventReader', () => {
  it('gives the same events however the text is cut', () => {
    const text = fc.string({
      unit: fc.constantFrom('data:', ' ', 'x', 'é', ':', '\r', '\n', '\r\n', 'event: y'),
    });
    fc.assert(
      fc.property(text, fc.array(fc.nat(6)), (whole, cuts) => {
        const read = createEventReader();
        const events: string[] = [];
        let rest = whole;
        for (const cut of cuts) {
          events.push(...read(rest.slice(0, cut)));
          rest = rest.slice(cut);
        }
        events.push(...read(rest));
        expect(events).toEqual(createEventReader()(whole));
      }),
    );
  });

  it('reads what the standard says', () => {
    const read = createEventReader();
    expect(
      read(
        'data: a\ndata:b\ndata:  c\n\n: note\nevent: x\n\ndata\n\nid: 3\rdata: d\r\rdatax: e\n\ndata: never',
      ),
    ).toEqual(['a\nb\n c', '', 'd']);
  });
});
