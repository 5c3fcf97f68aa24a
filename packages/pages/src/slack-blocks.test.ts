import { describe, expect, it } from 'vitest';

import { renderSlackBlock } from './slack-blocks.ts';

describe('renderSlackBlock', () => {
  it('escapes text, and links nothing but web and mail addresses', () => {
    const button = (url: string) => ({ type: 'button', text: { text: 'Open' }, url });
    expect(renderSlackBlock({ type: 'header', text: { text: '<script>alert(1)</script>' } }).text).toBe(
      '<h3>&lt;script&gt;alert(1)&lt;/script&gt;</h3>',
    );
    const { text } = renderSlackBlock({
      type: 'actions',
      elements: [button('javascript:alert(1)'), button('https://example.com/?a=1&b=2')],
    });
    expect(text).toContain('<span class="button">Open</span>');
    expect(text).toContain('href="https://example.com/?a=1&amp;b=2"');
    expect(text).not.toContain('javascript');
  });

  it('moves a deeper list into the item before it, and names whom it mentions', () => {
    const list = (indent: number, elements: readonly object[]) => ({
      type: 'rich_text_list',
      style: 'bullet',
      indent,
      elements: [{ elements }],
    });
    const { text } = renderSlackBlock({
      type: 'rich_text',
      elements: [
        list(0, [{ type: 'user', user_id: 'U0ANN' }]),
        list(1, [{ type: 'text', text: 'in', style: { bold: true } }]),
      ],
    });
    expect(text.replaceAll(/\s+/g, '')).toBe(
      '<ul><li><spanclass="pill">@U0ANN</span><ul><li><strong>in</strong></li></ul></li></ul>',
    );
  });

  it('shows a type that it does not know as JSON', () => {
    expect(renderSlackBlock({ type: 'video', title: '<b>' }).text).toContain(
      '&quot;title&quot;: &quot;&lt;b&gt;',
    );
  });
});

describe('mrkdwn', () => {
  const render = (text: string): string =>
    renderSlackBlock({ type: 'section', text: { type: 'mrkdwn', text } }).text;

  it.each([
    ['<!date^1783425600^{date}|7 July> &amp;amp;', '7 July &amp;amp;'],
    ['1 &lt; 2', '1 &lt; 2'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['<javascript:alert(1)|here>', '&lt;javascript:alert(1)|here&gt;'],
  ])('shows %s', (text, expected) => {
    expect(render(text)).toContain(`<p class="box">${expected}</p>`);
  });

  it('takes a text full of beginnings of dates in a time that grows with its length', () => {
    expect(render('<!date^1^'.repeat(100_000)).length).toBeGreaterThan(100_000);
  });
});
