import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { htmlToMarkdown } from './html.ts';

describe('htmlToMarkdown', () => {
  it.each([
    [
      'paragraphs and line breaks',
      '<p>We <b>agreed</b>:</p>\n<p>one<br>two<br/>three</p>',
      'We **agreed**:\n\none\ntwo\nthree',
    ],
    [
      'lists',
      '<ul>\n  <li>One</li>\n  <li>Two\n <ol><li>deep</li><li>er</li></ol></li></ul>',
      '- One\n- Two\n  1. deep\n  2. er',
    ],
    ['items that are not closed', '<ul><li>One<li>Two</ul>', '- One\n- Two'],
    ['paragraphs in an item', '<ul><li><p>One</p><p>more</p></li></ul>', '- One\n\n  more'],
    [
      'links',
      '<p>See <a class="x" href="https://example.com/a?b=1&amp;c">the [plan]</a>.</p>',
      'See [the \\[plan\\]](<https://example.com/a?b=1&amp;c>).',
    ],
    [
      'headings, rules, quotes',
      '<h2>Result</h2><hr><blockquote>said<br>twice</blockquote>',
      '## Result\n\n---\n\n> said\n> twice',
    ],
    [
      'tables',
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tr><td>1|2</td><td>x<br>y</td></tr></table>',
      '| A | B |\n|---|---|\n| 1\\|2 | x<br>y |',
    ],
    ['code', '<p><code>a_b</code></p><pre>x\n  y</pre>', '`a_b`\n\n```\nx\n  y\n```'],
    [
      'marks beside letters',
      '<b>Note:</b>text <i>x</i> <s>no</s> <b>「A」</b>と',
      '**Note**:text *x* ~~no~~ **「A」**と',
    ],
    ['Markdown around it', 'Text\n\n- a <strong>b</strong>\n- c\n\n<p>d</p>', 'Text\n\n- a **b**\n- c\n\nd'],
    ['character references, which are left', '<p>&lt;5% &amp; more</p>', '&lt;5% &amp; more'],
    ['numbers', '<ol start="4"><li>d</li><li>e</li><li value="9">i</li></ol>', '4. d\n5. e\n9. i'],
    ['neighbours of one mark', '<b>bold</b><strong>er</strong> <i>a</i><i>b</i>', '**bolder** *ab*'],
    [
      'attributes in order',
      '<p><a title="x href=https://evil.example" href="https://example.com">a</a></p>',
      '[a](<https://example.com>)',
    ],
    ['character references in code', '<code>a &lt; 5</code> and &lt;', '`a < 5` and &lt;'],
    ['blocks in a row of Markdown', '| <p>x</p> | 2 |\n|-|-|', '|  x  | 2 |\n|-|-|'],
    ['powers', '10<sup>6</sup> users, the 1<sup>st</sup>', '10^6 users, the 1st'],
    [
      'what Google Docs copies',
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-1"><p dir="ltr"><span>Agreed:</span></p><ul><li><p><span>One</span></p></li><li>Two</li></ul></b>',
      'Agreed:\n\n- One\n- Two',
    ],
    ['what Outlook copies', '<p class=MsoNormal>One<o:p></o:p></p><p>Two<o:p>&nbsp;</o:p></p>', 'One\n\nTwo'],
    [
      'check boxes',
      '<ul><li><input type="checkbox" checked> Send</li><li data-checked="false"><label><input type="checkbox"></label><div><p>Call</p></div></li></ul>',
      '- [x] Send\n- [ ] Call',
    ],
    ['captions', '<table><caption>Sales</caption><tr><td>A</td></tr></table>', 'Sales\n\n| A |\n|---|'],
    ['tags that only change the look', '<p><span style="color:red">red</span> <u>u</u></p>', 'red u'],
  ])('rewrites %s', (_what, html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  it.each([
    'a <b and c> d',
    'a<b>c and <5% and <- and <3',
    '<foo>x</foo> <script>alert(1)</script> <Ann>',
    'one<br>two',
    '| a | b<br>c |',
    '`<b>x</b>`',
    '```\n<p>x</p>\n```',
    '</b> and </i>',
  ])('leaves %j as it is', (text) => {
    expect(htmlToMarkdown(text)).toBe(text);
  });

  it('leaves code alone beside HTML', () => {
    expect(htmlToMarkdown('```\n```\n<p>x</p>')).toBe('```\n```\n\nx');
    expect(htmlToMarkdown('<p>x</p>\n```\n<p>y</p>\n```\n`<i>`')).toBe('x\n\n```\n<p>y</p>\n```\n`<i>`');
  });

  it('loses no word, whatever is nested in what', () => {
    const tags =
      'p ul ol li br b i s a code pre div blockquote h1 table caption tr td th span sup input x'.split(' ');
    const piece = fc.oneof(
      fc.constantFrom(...tags).map((name) => `<${name}>`),
      fc.constantFrom(...tags).map((name) => `</${name}>`),
      fc.constantFrom('word ', 'two\n', '- ', '|'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const count = (words: string): number => words.split(/word|two/).length;
        expect(count(htmlToMarkdown(text))).toBe(count(text));
      }),
      { numRuns: 500 },
    );
  });
});
