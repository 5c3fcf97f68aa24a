import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildDigest } from '../digest.ts';
import { hostileReport, sampleReport } from '../testing/sample-report.ts';
import type { NotionText } from './notion-page.ts';
import { renderNotionPage } from './render-notion-page.ts';

function runs(content: string): object {
  return { rich_text: [{ type: 'text', text: { content } }] };
}

describe('renderNotionPage', () => {
  it('shows facts, summary, decisions and tasks as check boxes', () => {
    expect(renderNotionPage(buildDigest(sampleReport), 'https://app.example.com/m_1')).toEqual({
      title: 'Weekly sync',
      meetingId: 'm_1',
      startedAt: '2026-07-07T11:00:00Z',
      blocks: [
        { type: 'paragraph', paragraph: runs('2026-07-07 11:00 UTC · 1 h 05 min · Ann Lee, Bob · zoom') },
        { type: 'heading_2', heading_2: runs('Summary') },
        { type: 'paragraph', paragraph: runs('We agreed on the plan.') },
        { type: 'bulleted_list_item', bulleted_list_item: runs('budget <fixed>') },
        { type: 'bulleted_list_item', bulleted_list_item: runs('start & end') },
        { type: 'heading_2', heading_2: runs('Decisions') },
        { type: 'bulleted_list_item', bulleted_list_item: runs('Ship on Friday') },
        { type: 'heading_2', heading_2: runs('Tasks') },
        { type: 'heading_3', heading_3: runs('Ann Lee') },
        { type: 'to_do', to_do: { ...runs('Send the offer (due 2026-07-10)'), checked: false } },
        { type: 'to_do', to_do: { ...runs('Write the minutes'), checked: false } },
        { type: 'heading_3', heading_3: runs('No owner') },
        { type: 'to_do', to_do: { ...runs('Book a room'), checked: false } },
        {
          type: 'paragraph',
          paragraph: {
            rich_text: [
              {
                type: 'text',
                text: { content: 'Open the report', link: { url: 'https://app.example.com/m_1' } },
              },
            ],
          },
        },
      ],
    });
  });

  it('keeps within every limit of Notion, whatever the report holds', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const page = renderNotionPage(buildDigest(report));
        expect(page.blocks.length).toBeLessThanOrEqual(100);
        expect(page.title.length).toBeLessThanOrEqual(300);
        expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(500_000);
        for (const run of page.blocks.flatMap(listRuns)) {
          expect(run.text.content.length).toBeLessThanOrEqual(2000);
          expect(run.text.link).toBeUndefined();
        }
        expect(() => encodeURIComponent(JSON.stringify(page))).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });

  it('says in its last block that the report holds more', () => {
    const many = Array.from({ length: 200 }, (_, index) => `Decision ${index}`);
    const page = renderNotionPage(buildDigest({ ...sampleReport, decisions: many }));
    expect(page.blocks).toHaveLength(100);
    expect(page.blocks.at(-1)).toEqual({
      type: 'paragraph',
      paragraph: runs('This continues in the report.'),
    });
  });
});

function listRuns(block: object): NotionText[] {
  return Object.values(block).flatMap((content: { rich_text?: NotionText[] }) => content.rich_text ?? []);
}
