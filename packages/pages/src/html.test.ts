import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { html, renderLink } from './html.ts';

describe('html', () => {
  it('escapes every value but markup', () => {
    const inner = html`<b>${'<script>"\'&'}</b>`;
    expect(html`<p title="${'"'}">${inner}${[1, 'a<b', inner]}${undefined}${false}</p>`.text).toBe(
      '<p title="&quot;"><b>&lt;script&gt;&quot;&#39;&amp;</b>1a&lt;b<b>&lt;script&gt;&quot;&#39;&amp;</b></p>',
    );
  });

  it('never lets a text open a tag or leave an attribute', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(html`${text}`.text).not.toMatch(/[<>"']/);
      }),
    );
  });
});

describe('renderLink', () => {
  it('links web and mail addresses and nothing else', () => {
    expect(renderLink('https://example.com/?a=1&b="', 'there').text).toBe(
      '<a href="https://example.com/?a=1&amp;b=&quot;" rel="noreferrer noopener" target="_blank">there</a>',
    );
    expect(renderLink('javascript:alert(1)', 'there').text).toBe('there');
    expect(renderLink(' javascript:alert(1)', 'there').text).toBe('there');
  });
});
