import { describe, expect, it } from 'vitest';

import { listRenderedLines } from './rendered-lines.ts';

describe('listRenderedLines', () => {
  it('reads a Slack message block by block, and marks whom it mentions', () => {
    const lines = listRenderedLines({
      destination: 'slack',
      message: {
        text: 'fallback',
        mentions: [{ block: 2, element: 0, email: 'ann@example.com' }],
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Weekly', emoji: false } },
          {
            type: 'context',
            elements: [{ type: 'mrkdwn', text: '<!date^1^{date}|2026-07-07> &lt;Zoom&gt;' }],
          },
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [{ type: 'text', text: 'Ann Lee', style: { bold: true } }],
              },
              {
                type: 'rich_text_list',
                style: 'bullet',
                indent: 1,
                elements: [
                  {
                    type: 'rich_text_section',
                    elements: [
                      { type: 'text', text: 'Send ' },
                      { type: 'link', url: 'https://example.com/offer', text: 'the offer' },
                    ],
                  },
                ],
              },
              {
                type: 'rich_text_list',
                style: 'ordered',
                indent: 0,
                elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'first' }] }],
              },
              { type: 'rich_text_quote', elements: [{ type: 'text', text: 'said\nso' }] },
            ],
          },
          {
            type: 'actions',
            elements: [
              {
                type: 'button',
                text: { type: 'plain_text', text: 'Open the report', emoji: false },
                url: 'https://example.com/r',
                action_id: 'a',
                accessibility_label: 'Open',
              },
            ],
          },
        ],
      },
    });
    expect(lines).toEqual([
      'Weekly',
      '',
      '2026-07-07 <Zoom>',
      '',
      '@Ann Lee',
      '  • Send the offer (https://example.com/offer)',
      '1. first',
      '> said',
      '> so',
      '[Open the report] https://example.com/r',
    ]);
  });

  it('says for whom a Slack message is', () => {
    const message = { text: 'Hello', blocks: [] };
    const otherwise = { channel: 'C1', message };
    expect(
      listRenderedLines({
        destination: 'slack',
        message: { ...message, person: { email: 'ann@example.com', otherwise } },
      }),
    ).toEqual(['To: ann@example.com (when Slack does not know the person, it is posted to C1)', '', 'Hello']);
  });

  it('reads a Notion page: properties, then blocks, the inner ones indented', () => {
    const text = (content: string) => [{ type: 'text' as const, text: { content } }];
    expect(
      listRenderedLines({
        destination: 'notion',
        message: {
          kind: 'meeting',
          title: 'Weekly',
          fields: {
            date: { kind: 'date', start: '2026-07-07', words: 'today' },
            participants: { kind: 'names', names: ['Ann', 'Bob'] },
          },
          mapping: {},
          blocks: [
            { type: 'heading_2', heading_2: { rich_text: text('Tasks') } },
            { type: 'to_do', to_do: { rich_text: text('Send'), checked: false } },
            {
              type: 'toggle',
              toggle: {
                rich_text: text('Transcript'),
                children: [{ type: 'paragraph', paragraph: { rich_text: text('Hello') } }],
              },
            },
          ],
        },
      }),
    ).toEqual([
      'Title: Weekly',
      'date: 2026-07-07',
      'participants: Ann, Bob',
      '',
      '## Tasks',
      '☐ Send',
      '▸ Transcript',
      '  Hello',
    ]);
  });

  it('reads the text of a mail, and names what is attached', () => {
    expect(
      listRenderedLines({
        destination: 'email',
        message: { subject: 'Recap', text: 'Hello\nthere', html: '<p>', attach: ['pdf'] },
      }),
    ).toEqual(['Subject: Recap', 'attached: pdf', '', 'Hello', 'there']);
  });
});
