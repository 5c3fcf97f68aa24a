import { describe, expect, it } from 'vitest';

import { buildDigest } from '../../report/digest.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { renderNotionPage } from './render-page.ts';

const digest = {
  ...buildDigest({ ...sampleReport, summary: 'We agreed.' }),
  startedLocal: '2026-07-07 14:00',
  utcOffset: '+03:00',
  durationSeconds: 3900,
  source: 'zoom',
  tags: ['a, b'],
};

// Blocks and limits: test/src/messages.
describe('renderNotionPage', () => {
  it('has the facts of the meeting for its properties', () => {
    const { title, fields } = renderNotionPage(digest, { link: 'https://app.example.com/m_1' });
    expect(title).toBe('Weekly sync');
    expect(fields).toMatchObject({
      date: { start: '2026-07-07T11:00:00.000Z', end: '2026-07-07T12:05:00.000Z' },
      duration: { number: 65 },
      reportUrl: { url: 'https://app.example.com/m_1' },
    });
    expect(renderNotionPage(digest, { link: 'app.example.com' }).fields).not.toHaveProperty('reportUrl');
  });

  it('shows no time for a turn whose start is not a number', () => {
    const transcript = [{ turns: [{ speaker: 'Ann', text: 'Hello.', startSeconds: Number.NaN }] }];
    const [paragraph] = renderNotionPage({ ...digest, transcript }).blocks.at(-1)?.toggle?.children ?? [];
    expect(paragraph?.paragraph?.rich_text?.map(({ text }) => text.content)).toEqual(['Ann', '\nHello.']);
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
});
