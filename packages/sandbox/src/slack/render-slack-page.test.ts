import { describe, expect, it } from 'vitest';

import { header, post, section, startTestSlack } from '../testing/start-test-slack.ts';
import { renderSlackPage } from './render-slack-page.ts';
import type { SlackMessage } from './slack-message.ts';

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
    const task = { type: 'task_card', task_id: '1', title: 'Call Tom', status: 'pending' };
    const page = readPage([
      message({
        text: 'All of it',
        blocks: [
          {
            type: 'container',
            title: plain('Folded'),
            child_blocks: [{ type: 'header', text: plain('Inside') }],
          },
          {
            type: 'carousel',
            elements: [
              {
                type: 'card',
                title: plain('Card one'),
                actions: [{ type: 'button', text: plain('Open it') }],
              },
            ],
          },
          { type: 'plan', title: 'The plan', tasks: [task] },
          { type: 'data_table', caption: 'Tasks', rows: [[{ type: 'raw_text', text: 'Who' }]] },
          {
            type: 'context_actions',
            elements: [
              {
                type: 'feedback_buttons',
                positive_button: { text: plain('Good') },
                negative_button: { text: plain('Bad') },
              },
            ],
          },
          { type: 'video', title: plain('A film'), title_url: 'https://example.com/' },
          { type: 'data_visualization', chart: 'pie' },
        ],
        files: [{ id: 'F1', name: 'a.pdf', title: 'Report', sizeBytes: 12 }],
      }),
    ]);
    for (const text of [
      'Folded',
      'Inside',
      'Card one',
      'Open it',
      'The plan',
      'Call Tom pending',
      'Tasks',
      'Who',
      'Good',
      'Bad',
      'A film',
    ])
      expect(page).toContain(text);
    expect(page).toContain('Block data_visualization { &quot;type&quot;: &quot;data_visualization&quot;');
    expect(page).toContain('Report a.pdf · 12 bytes');
    expect(page).toContain('What a screen reader says All of it');
  });
});
