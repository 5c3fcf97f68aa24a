import { describe, expect, it } from 'vitest';

import { listUnsubscribeHeaders, writeSharedUnsubscribeUrl, writeUnsubscribeUrl } from './unsubscribe.ts';

const from = 'Aftermeet <bot@example.com>';
const unsubscribeUrl = 'https://example.com/stop/{recipient}';

describe('writeUnsubscribeUrl', () => {
  it('is a mail to the sender unless there is an address', () => {
    expect(writeUnsubscribeUrl({ from }, 'ann@example.com')).toBe(
      'mailto:bot@example.com?subject=unsubscribe',
    );
  });

  it('says who it is by a hash, the same whatever the case', () => {
    const url = writeUnsubscribeUrl({ from, unsubscribeUrl }, 'Ann@example.com');
    expect(url).toBe(
      'https://example.com/stop/71d4f55f72fa128dfb468a1a3901507c804b74316488744d769d7f4b16696476',
    );
    expect(writeUnsubscribeUrl({ from, unsubscribeUrl }, 'ann@example.com')).toBe(url);
  });

  it('names nobody where a mail is written for several', () => {
    expect(writeSharedUnsubscribeUrl({ from, unsubscribeUrl })).toBe(
      'mailto:bot@example.com?subject=unsubscribe',
    );
    expect(writeSharedUnsubscribeUrl({ from, unsubscribeUrl: 'https://example.com/stop' })).toBe(
      'https://example.com/stop',
    );
  });
});

describe('listUnsubscribeHeaders', () => {
  it('offers one click for https alone', () => {
    expect(listUnsubscribeHeaders('https://example.com/stop')).toEqual({
      'List-Unsubscribe': '<https://example.com/stop>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(listUnsubscribeHeaders('mailto:bot@example.com')).toEqual({
      'List-Unsubscribe': '<mailto:bot@example.com>',
    });
  });
});
