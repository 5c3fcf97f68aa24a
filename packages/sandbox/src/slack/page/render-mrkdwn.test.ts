import { describe, expect, it } from 'vitest';

import { renderMrkdwn } from './render-mrkdwn.ts';

describe('renderMrkdwn', () => {
  it.each([
    ['*bold* _italic_ ~gone~ `code`', '<strong>bold</strong> <em>italic</em> <s>gone</s> <code>code</code>'],
    ['a_b_c stays', 'a_b_c stays'],
    ['*a _b_*', '<strong>a <em>b</em></strong>'],
    ['1 &lt; 2 &amp;amp; 3', '1 &lt; 2 &amp;amp; 3'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['<javascript:alert(1)|here>', '&lt;javascript:alert(1)|here&gt;'],
    ['<@U123> <!channel>', '<span class="pill">@U123</span> <span class="pill">!channel</span>'],
    ['<!date^1783425600^{date}|7 July>', '7 July'],
  ])('shows %s', (text, expected) => {
    expect(renderMrkdwn(text).text).toBe(expected);
  });

  it('takes a text full of markup', () => {
    expect(renderMrkdwn('*a*'.repeat(2000)).text).toBe('<strong>a</strong>'.repeat(2000));
  });

  it.each(['<@', '<http:', '<!date^1^'])(
    'takes a text full of %s in a time that grows with its length',
    (opening) => {
      // Searched to its end from each of them, it would take half a minute.
      expect(renderMrkdwn(opening.repeat(100_000)).text.length).toBeGreaterThan(100_000);
    },
  );

  it('links web addresses', () => {
    expect(renderMrkdwn('<https://example.com/?a=1&amp;b=2|there>').text).toBe(
      '<a href="https://example.com/?a=1&amp;b=2" rel="noreferrer noopener" target="_blank">there</a>',
    );
  });
});
