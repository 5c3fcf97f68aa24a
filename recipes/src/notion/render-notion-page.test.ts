import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildDigest } from '../digest.ts';
import { hostileReport, sampleReport } from '../testing/sample-report.ts';
import { contentOf, type NotionBlock, type NotionText } from './notion-page.ts';
import { planRequests } from './plan-requests.ts';
import { renderNotionPage } from './render-notion-page.ts';

const digest = {
  ...buildDigest({ ...sampleReport, summary: 'We agreed.' }),
  startedLocal: '2026-07-07 14:00',
  utcOffset: '+03:00',
  durationSeconds: 3900,
  source: 'zoom',
  tags: ['a, b'],
};

function runs(content: string): object {
  return { rich_text: [{ type: 'text', text: { content } }] };
}

function allBlocks(blocks: readonly NotionBlock[]): readonly NotionBlock[] {
  return blocks.flatMap((block) => [block, ...allBlocks(contentOf(block).children ?? [])]);
}

function listRuns(block: NotionBlock): readonly NotionText[] {
  const { rich_text = [], cells = [] } = contentOf(block);
  return [...rich_text, ...cells.flat()];
}

describe('renderNotionPage', () => {
  it('shows facts, summary, decisions, tasks as check boxes, and the rest in toggles', () => {
    const turns = [{ speaker: 'Ann Lee', text: 'Hello.', startSeconds: 5 }];
    const sections = [{ title: 'Questions', text: digest.summary }];
    const link = 'https://app.example.com/m_1';
    const page = renderNotionPage({ ...digest, sections, transcript: [{ turns }] }, { link });
    expect(page.title).toBe('Weekly sync');
    expect(page.blocks).toEqual([
      {
        type: 'callout',
        callout: {
          icon: { type: 'emoji', emoji: '🗓️' },
          rich_text: [
            {
              type: 'text',
              text: { content: `2026-07-07 14:00 (UTC+03:00) · ${digest.facts.join(' · ')}` },
            },
            { type: 'text', text: { content: '\n' } },
            { type: 'text', text: { content: 'Open the report', link: { url: link } } },
          ],
        },
      },
      { type: 'heading_2', heading_2: runs('Summary') },
      { type: 'paragraph', paragraph: runs('We agreed.') },
      { type: 'heading_2', heading_2: runs('Decisions') },
      expect.objectContaining({ type: 'bulleted_list_item' }),
      { type: 'heading_2', heading_2: runs('Tasks') },
      { type: 'heading_3', heading_3: runs('Ann Lee') },
      {
        type: 'to_do',
        to_do: {
          rich_text: [
            { type: 'text', text: { content: 'Send the offer' } },
            { type: 'text', text: { content: ' (due 2026-07-10)' } },
          ],
          checked: false,
        },
      },
      { type: 'to_do', to_do: { ...runs('Write the minutes'), checked: false } },
      { type: 'heading_3', heading_3: runs('No owner') },
      { type: 'to_do', to_do: { ...runs('Book a room'), checked: false } },
      { type: 'heading_2', heading_2: runs('Full notes') },
      {
        type: 'toggle',
        toggle: { ...runs('Questions'), children: [{ type: 'paragraph', paragraph: runs('We agreed.') }] },
      },
      {
        type: 'toggle',
        toggle: {
          ...runs('Transcript'),
          children: [
            {
              type: 'paragraph',
              paragraph: {
                rich_text: [
                  { type: 'text', text: { content: 'Ann Lee' }, annotations: { bold: true } },
                  { type: 'text', text: { content: ' 0:05' }, annotations: { color: 'gray' } },
                  { type: 'text', text: { content: '\nHello.' } },
                ],
              },
            },
          ],
        },
      },
    ]);
    expect(page.fields).toMatchObject({
      date: { start: '2026-07-07T11:00:00.000Z', end: '2026-07-07T12:05:00.000Z' },
      duration: { number: 65 },
      reportUrl: { url: link },
    });
  });

  it('puts chapters and what is longer than a hundred turns into toggles of their own', () => {
    const turns = Array.from({ length: 150 }, (_, index) => ({
      text: `t${index}`,
      startSeconds: 60 * index,
    }));
    const titles = (name?: string): unknown => {
      const transcript = [{ ...(name === undefined ? {} : { name }), turns }];
      const toggle = renderNotionPage({ ...digest, transcript }).blocks.at(-1);
      return toggle?.toggle?.children?.map((child) => child.toggle?.rich_text?.[0]?.text.content);
    };
    expect(titles('Budget')).toEqual(['0:00 Budget', '1:40:00 Budget (continued)']);
    expect(titles()).toEqual(['0:00', '1:40:00']);
    const left = renderNotionPage({ ...digest, transcript: [{ turns }] }, { transcript: false });
    expect(JSON.stringify(left.blocks)).not.toContain('Transcript');
  });

  it('keeps within every limit of Notion, whatever the report holds', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const page = renderNotionPage(buildDigest(report, { withTranscript: true }));
        expect(page.title.length).toBeLessThanOrEqual(300);
        for (const { blocks } of planRequests(page.blocks)) {
          expect(blocks.length).toBeLessThanOrEqual(100);
          expect(allBlocks(blocks).length).toBeLessThanOrEqual(1000);
          expect(Buffer.byteLength(JSON.stringify(blocks))).toBeLessThanOrEqual(450_000);
        }
        for (const block of allBlocks(page.blocks)) {
          expect(contentOf(block).rich_text?.length ?? 0).toBeLessThanOrEqual(100);
          for (const run of listRuns(block)) {
            expect(run.text.content.length).toBeLessThanOrEqual(2000);
            expect(run.text.link?.url ?? 'https://').toMatch(/^(?:https?:\/\/|mailto:)/);
          }
        }
        expect(() => encodeURIComponent(JSON.stringify(page))).not.toThrow();
      }),
      { numRuns: 12 },
    );
  });
});
