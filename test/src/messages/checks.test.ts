import { describe, expect, it } from 'vitest';

import { checkHtml } from './check-mail-limits.ts';
import { checkNotionLimits } from './check-notion-limits.ts';
import { checkOrder } from './check-order.ts';
import { checkSlackLimits } from './check-slack-limits.ts';

/** A checker that finds nothing anywhere would let everything pass. */
const text = (length: number) => ({ type: 'plain_text', text: 'x'.repeat(length) });
const runs = (length: number) => [{ type: 'text', text: { content: 'x'.repeat(length) } }];
const paragraph = (children: readonly object[] = []) => ({
  type: 'paragraph',
  paragraph: { rich_text: runs(1), ...(children.length === 0 ? {} : { children }) },
});

describe('what the checks find', () => {
  it.each([
    [{ text: '' }, ['text: empty']],
    [{ text: 'a <!channel> b' }, ['text: active markup "<!channel>"']],
    [{ text: 'hi <@U0EVIL>' }, ['text: active markup "<@U0EVIL>"']],
    [{ text: 'x', blocks: [{ type: 'header', text: text(151) }] }, ['/blocks/0 header: 151, at most 150']],
    [
      { text: 'x', blocks: Array.from({ length: 51 }, () => ({ type: 'header', text: text(1) })) },
      ['blocks: 51, at most 50'],
    ],
    [
      {
        text: 'x',
        blocks: [
          {
            type: 'rich_text',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'broadcast', range: 'here' }] }],
          },
        ],
      },
      ['/blocks/0/elements/0/elements/0: a mention (broadcast)'],
    ],
    [
      {
        text: 'x',
        blocks: [
          {
            type: 'rich_text',
            elements: [
              { type: 'rich_text_section', elements: [{ type: 'link', url: 'javascript:x', text: 'a' }] },
            ],
          },
        ],
      },
      ['/blocks/0/elements/0/elements/0/url: a link to javascript:'],
    ],
    [
      { text: 'x', blocks: [{ type: 'rich_text', elements: [{ type: 'text', text: 'x'.repeat(9001) }] }] },
      ['text of all blocks: 9001, at most 9000'],
    ],
    [{ text: 'x', blocks: [{ type: 'video' }] }, ['/blocks/0: a block without a check (video)']],
    [{ text: 'x\u0000' }, ['text: the character U+0000']],
    [{ text: '<!date^0^{date}|x> <@U0ANN>' }, []],
  ])('in a message for Slack', (message, problems) => {
    expect(checkSlackLimits(message, new Set(['U0ANN']))).toEqual(problems);
  });

  it.each([
    [{ children: Array.from({ length: 101 }, () => paragraph()) }, ['/children: 101, at most 100']],
    [
      { children: [paragraph([paragraph([paragraph([paragraph()])])])] },
      ['levels of nested blocks: 3, at most 2'],
    ],
    [
      { children: [{ type: 'paragraph', paragraph: { rich_text: runs(2001) } }] },
      ['/children/0/paragraph/rich_text/0/text/content: 2001, at most 2000'],
    ],
    [{ properties: { Link: { url: 'data:text/html,x' } } }, ['/properties/Link/url: a link to data:']],
    [
      { properties: { Tags: { multi_select: [{ name: 'a,b' }] } } },
      ['/properties/Tags: an option with a comma'],
    ],
    [{ children: [paragraph([paragraph([paragraph()])])] }, []],
  ])('in a request to Notion', (body, problems) => {
    expect(checkNotionLimits(body)).toEqual(problems);
  });

  it.each([
    ['<p onclick="x()">a</p>', ['html: the attribute onclick']],
    ['<img src="https://track.example/p.png">', ['html: the tag "img"', 'html: src loads from outside']],
    ['<a href="javascript:x">a</a>', ['html: a link to javascript:']],
    ['<a href="java&#x0a;script:x">a</a>', ['html: a link to javascript:']],
    ['<script>x</script>', ['html: the tag "script"', 'html: the tag "script"']],
    ['<td style="background: url(https://x.example)">a</td>', ['html: a style that loads or runs']],
    ['<p style="margin:0"><a href="https://x.example/?a&amp;b">a</a></p>', []],
  ])('in HTML: %s', (html, problems) => {
    expect(checkHtml(html)).toEqual(problems);
  });

  it.each([
    [
      '../up.pdf',
      [
        'file name: a character that not every system takes',
        'file name: begins or ends with a dot or a space',
      ],
    ],
    [`${'x'.repeat(230)}.pdf`, ['file name: 234 bytes, at most 220']],
    ['2026-07-07_14-00_Weekly sync_m_1.pdf', []],
  ])('in the name of a file: %s', (name, problems) => {
    const input = { meetingId: 'm_1', format: 'pdf' } as const;
    const message = { input, folder: '/srv', name, edition: '0', tags: [], mayCreateTags: false };
    expect(checkOrder({ destination: 'folder', message })).toEqual(problems);
  });
});
