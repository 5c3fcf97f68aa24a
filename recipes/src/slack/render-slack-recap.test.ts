import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildDigest } from '../digest.ts';
import { hostileReport, sampleReport } from '../testing/sample-report.ts';
import { renderSlackRecap } from './render-slack-recap.ts';
import type { SlackBlock } from './slack-message.ts';

/** Every text of a message, with the kind of object that holds it. */
function listTexts(value: unknown): { readonly type: string; readonly text: string }[] {
  if (Array.isArray(value)) return value.flatMap(listTexts);
  if (typeof value !== 'object' || value === null) return [];
  const type = 'type' in value ? String(value.type) : '';
  const own = 'text' in value && typeof value.text === 'string' ? [{ type, text: value.text }] : [];
  return [...own, ...Object.values(value).flatMap(listTexts)];
}

function text(words: string): object {
  return { type: 'text', text: words };
}

function item(words: string): object {
  return { type: 'rich_text_section', elements: [text(words)] };
}

function bold(words: string): object {
  return { type: 'rich_text_section', elements: [{ ...text(words), style: { bold: true } }] };
}

function list(...items: string[]): object {
  return { type: 'rich_text_list', style: 'bullet', indent: 0, elements: items.map(item) };
}

describe('renderSlackRecap', () => {
  it('shows title, facts, summary, decisions and tasks by owner', () => {
    const message = renderSlackRecap(buildDigest(sampleReport), 'https://app.example.com/m_1');
    expect(message.blocks).toEqual([
      { type: 'header', text: { type: 'plain_text', text: 'Weekly sync', emoji: false } },
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: '<!date^1783422000^{date_short_pretty} {time}|2026-07-07 11:00 UTC>' },
          { type: 'plain_text', text: '1 h 05 min · Ann Lee, Bob · zoom', emoji: false },
        ],
      },
      {
        type: 'rich_text',
        elements: [
          bold('Summary'),
          item('We agreed on the plan.\n'),
          list('budget <fixed>', 'start & end'),
          bold('Decisions'),
          list('Ship on Friday'),
          bold('Tasks'),
          bold('Ann Lee'),
          list('Send the offer (due 2026-07-10)', 'Write the minutes'),
          bold('No owner'),
          list('Book a room'),
          {
            type: 'rich_text_section',
            elements: [{ type: 'link', url: 'https://app.example.com/m_1', text: 'Open the report' }],
          },
        ],
      },
    ]);
    expect(message.text).toContain('• budget &lt;fixed&gt;\n• start &amp; end');
  });

  it('says that the report holds more when it does', () => {
    const message = renderSlackRecap(buildDigest({ ...sampleReport, summary: 'word '.repeat(5000) }));
    expect(JSON.stringify(message.blocks)).toContain('This continues in the report.');
  });

  it('keeps within every limit of Slack and mentions nobody, whatever the report holds', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const { blocks, text: fallback } = renderSlackRecap(buildDigest(report));
        const texts = listTexts(blocks);
        expect(blocks.length).toBeLessThanOrEqual(50);
        expect(texts.reduce((sum, found) => sum + found.text.length, 0)).toBeLessThanOrEqual(9000);
        for (const found of texts) expect(found.text.length).toBeGreaterThan(0);
        expect(readHeader(blocks).length).toBeLessThanOrEqual(150);
        const marked = texts.filter(({ type }) => type === 'mrkdwn');
        for (const found of marked) {
          expect(found.text).toMatch(/^<!date\^\d+\^\{date_short_pretty\} \{time\}\|[-\d: UTC]+>$/);
        }
        expect(fallback.length).toBeLessThanOrEqual(4000);
        expect(fallback).not.toMatch(/[<>]/);
        expect(() => encodeURIComponent(JSON.stringify(blocks) + fallback)).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });
});

function readHeader(blocks: readonly SlackBlock[]): string {
  const header = blocks.find((block) => block.type === 'header');
  return header?.text.text ?? '';
}
