import { describe, expect, it } from 'vitest';

import { writeSharedUnsubscribeUrl, writeUnsubscribeUrl } from './mail-page.ts';

const from = 'Aftermeet <bot@example.com>';

const unsubscribeUrl = 'https://example.com/stop/{recipient}';

describe('writeUnsubscribeUrl', () => {
  it('says who it is by a hash, the same whatever the case', () => {
    const url = writeUnsubscribeUrl({ from, unsubscribeUrl }, 'Ann@example.com');
    expect(url).toBe(
      'https://example.com/stop/71d4f55f72fa128dfb468a1a3901507c804b74316488744d769d7f4b16696476',
    );
    expect(writeUnsubscribeUrl({ from, unsubscribeUrl }, 'ann@example.com')).toBe(url);
  });

  it('is written as a header and a mail reader take it, whatever letters it has', () => {
    const other = 'https://例え.jp/über?an={recipient}';
    expect(writeUnsubscribeUrl({ from, unsubscribeUrl: other }, 'ann@example.com')).toBe(
      'https://xn--r8jz45g.jp/%C3%BCber?an=71d4f55f72fa128dfb468a1a3901507c804b74316488744d769d7f4b16696476',
    );
    expect(writeUnsubscribeUrl({ from: 'R&D <r&d+x@example.com>' }, 'ann@example.com')).toBe(
      'mailto:r%26d%2Bx@example.com?subject=unsubscribe',
    );
  });

  it('names no recipient in a mail for several recipients', () => {
    expect(writeSharedUnsubscribeUrl({ from, unsubscribeUrl })).toBe(
      'mailto:bot@example.com?subject=unsubscribe',
    );
    expect(writeSharedUnsubscribeUrl({ from, unsubscribeUrl: 'https://example.com/stop' })).toBe(
      'https://example.com/stop',
    );
  });
});
