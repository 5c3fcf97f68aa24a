import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { redactAddress, redactOptions } from './explain-recipes.ts';

describe('redactOptions', () => {
  it('hides secrets and headers, and shows of an address where it leads', () => {
    expect(
      redactOptions({
        url: 'https://hooks.example.com/t/hunter2?key=hunter2',
        secret: 'hunter2',
        headers: { Authorization: 'Bearer hunter2', 'X-Team': 'hunter2' },
        include: ['summary'],
        emails: false,
        link: 'https://app.example.com/{meeting_id}',
      }),
    ).toEqual({
      url: 'https://hooks.example.com/…',
      secret: '(hidden)',
      headers: { Authorization: '(hidden)', 'X-Team': '(hidden)' },
      include: ['summary'],
      emails: false,
      link: 'https://app.example.com/{meeting_id}',
    });
    expect(redactOptions({ secret: ['hunter2', 'hunter2'], nested: { token: 'hunter2' } })).toEqual({
      secret: ['(hidden)', '(hidden)'],
      nested: { token: '(hidden)' },
    });
  });

  it('hides a body, which may hold what the environment says', () => {
    expect(redactOptions({ body: { text: 'hunter2 {{ title }}' } })).toEqual({ body: '(hidden)' });
    expect(redactOptions({ body: [{ text: 'hunter2' }, 7] })).toEqual({ body: ['(hidden)', '(hidden)'] });
  });

  it('shows of a link its page, and of a query only what it asks', () => {
    const link = (text: string) => redactOptions({ link: text })['link'];
    expect(link('https://app.example.com/m/{meeting_id}?token=hunter2&id={meeting_id}&hunter2#hunter2')).toBe(
      'https://app.example.com/m/{meeting_id}?token=…&id={meeting_id}&…#…',
    );
    expect(link('https://me:hunter2@app.example.com/{meeting_id}')).toBe(
      'https://app.example.com/{meeting_id}',
    );
    expect(link('hunter2')).toBe('(hidden)');
  });

  it('does not repeat what cannot be the name of a header', () => {
    expect(redactOptions({ headers: { 'Bearer hunter2': 1 } })).toEqual({
      headers: { '(hidden)': '(hidden)' },
    });
  });

  it('never shows what it hides, whatever it is', () => {
    const hidden = fc.stringMatching(/^hunter2[\w/?#@:.-]{0,20}$/);
    fc.assert(
      fc.property(hidden, fc.constantFrom('secret', 'secrets', 'apiToken', 'password'), (text, name) => {
        expect(
          JSON.stringify(redactOptions({ [name]: [text], url: text, headers: { a: text } })),
        ).not.toContain('hunter2');
      }),
      { numRuns: 50 },
    );
  });
});

describe('redactAddress', () => {
  it.each([
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['https://me:hunter2@example.com:8443/a', 'https://example.com:8443/…'],
    ['no address', '(hidden)'],
  ])('%s: %s', (address, shown) => {
    expect(redactAddress(address)).toBe(shown);
  });
});
