import { renderMrkdwn } from '@aftermeet/pages';
import { describe, expect, it } from 'vitest';

import { header, post, section, startTestSlack } from '../../testing/slack.ts';
import { renderSlackPage } from './page.ts';
import type { SlackMessage } from './state.ts';

const message = (fields: Partial<SlackMessage>): SlackMessage => ({
  channel: 'C0001',
  channelAsked: '#sales',
  ts: '1783425600.000000',
  botId: 'B1',
  text: '',
  ...fields,
});

/** What a reader sees: the page's text without its markup, one space between words. */
function readPage(messages: readonly SlackMessage[]): string {
  const [, body = ''] = renderSlackPage(messages).split('<main>');
  return body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

describe('the page', () => {
  it('shows messages to people, escaped, without script', async () => {
    const { client, url } = await startTestSlack();
    await post(client, {
      channel: '#sales',
      text: 'fallback',
      blocks: [
        header('<script>alert(1)</script>'),
        section('See <javascript:alert(1)|this> and <https://example.com/?a=1&amp;b=2|that> *now*'),
      ],
    });
    const response = await fetch(url);
    const page = await response.text();
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    expect(page).not.toContain('<script');
    expect(page).not.toContain('href="javascript');
    expect(page).toContain('&lt;script&gt;');
    expect(page).toContain('href="https://example.com/?a=1&amp;b=2"');
    expect(page).toContain('<strong>now</strong>');
  });

  it('keeps threads together under the newest parent first, and marks what was edited', () => {
    const parent = message({ text: 'First' });
    const page = readPage([
      parent,
      message({ ts: '1783425601.000000', text: 'Second', editedTs: '1783425602.000000' }),
      message({ ts: '1783425603.000000', threadTs: parent.ts, text: 'Answer', isBroadcast: true }),
      message({ ts: '1783425604.000000', threadTs: '1.000000', text: 'Orphan' }),
    ]);
    const order = ['Orphan', 'Second', 'First', '1 reply', 'Answer'].map((text) => page.indexOf(text));
    expect(order).toEqual(order.toSorted((left, right) => left - right));
    expect(page).toContain('edited 2026-07-07 12:00:01 UTC');
    expect(page).toContain('also in the channel');
  });

  it('draws the blocks that hold others, and shows what it does not know as JSON', () => {
    const plain = (text: string) => ({ type: 'plain_text', text });
    const page = readPage([
      message({
        text: 'All of it',
        blocks: [
          {
            type: 'container',
            title: plain('Folded'),
            child_blocks: [{ type: 'header', text: plain('Inside') }],
          },
          { type: 'data_visualization', chart: 'pie' },
        ],
        files: [{ id: 'F1', name: 'a.pdf', title: 'Report', sizeBytes: 12 }],
      }),
    ]);
    for (const text of ['Folded', 'Inside']) expect(page).toContain(text);
    expect(page).toContain('Block data_visualization { &quot;type&quot;: &quot;data_visualization&quot;');
    expect(page).toContain('Report a.pdf · 12 bytes');
    expect(page).toContain('What a screen reader says All of it');
  });
});

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
