import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildDigest, type Digest } from '../../report/digest.ts';
import { parseText } from '../../report/parse-text.ts';
import { hostileReport, sampleReport } from '../../testing/sample-report.ts';
import { renderFollowUp } from './render-follow-up.ts';

describe('renderFollowUp', () => {
  it('says the same as text and as HTML', () => {
    const mail = renderFollowUp(buildDigest(sampleReport), { link: 'https://app.example.com/m_1?a=1&b=2' });
    expect(mail.subject).toBe('Recap: Weekly sync');
    expect(mail.text).toContain('• Send the offer (due 10 Jul 2026)');
    expect(mail.text).toMatch(/\n-- \nYou receive this mail because your address is on the list/);
    expect(mail.html).toContain('>Send the offer</td>');
    expect(mail.html).toContain('>10 Jul 2026</td>');
    expect(mail.html).toContain('budget &lt;fixed&gt;');
    expect(mail.html).toContain('href="https://app.example.com/m_1?a=1&amp;b=2"');
    expect(mail.html).toContain('max-width:600px');
    expect(mail.meetingId).toBe('m_1');
  });

  it('ends with a note as text and as HTML', () => {
    const mail = renderFollowUp(buildDigest(sampleReport), { note: 'Not for <Ann>.' });
    expect(mail.text).toMatch(/\n\nNot for <Ann>\.\n\n-- \nYou receive/);
    expect(mail.html).toMatch(/Send the offer[^]*>Not for &lt;Ann&gt;\.<\/p>[^]*You receive/);
  });

  it('loads nothing, and says its language and its colours', () => {
    const { html } = renderFollowUp(buildDigest(sampleReport));
    expect(html).not.toMatch(/<img|<link|<script|src=|url\(|@import/);
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html.match(/<h1 /g)).toHaveLength(1);
  });

  it('leaves out a column that would be empty', () => {
    const digest = buildDigest({ ...sampleReport, tasks: [{ text: 'Book a room' }] });
    expect(renderFollowUp(digest).html).not.toMatch(/Owner<|Due</);
  });

  it('shows sections of the report behind the tasks', () => {
    const text = parseText('The agency may be **late**.');
    const { html } = renderFollowUp({ ...buildDigest(sampleReport), sections: [{ title: 'Risks', text }] });
    expect(html.indexOf('Risks</h2>')).toBeGreaterThan(html.indexOf('Tasks</h2>'));
    expect(html).toContain('<strong>late</strong>');
  });

  it.each(['字', '&', 'ü', '👨‍👩‍👧'])(
    'stays whole in Gmail, however much there is of %s, and says so',
    (sign) => {
      const [long, short] = [parseText(sign.repeat(3000)), parseText(sign.repeat(300))];
      const tasks = Array.from({ length: 500 }, (_, index) => ({ key: String(index), text: short }));
      const digest: Digest = {
        ...buildDigest(sampleReport),
        summary: { type: 'root', children: Array.from({ length: 30 }, () => long.children).flat() },
        decisions: Array.from({ length: 300 }, () => short),
        taskGroups: [{ owner: 'Ann', tasks }],
        sections: Array.from({ length: 20 }, () => ({ title: sign.repeat(100), text: long })),
      };
      const { html } = renderFollowUp(digest, {
        link: 'https://app.example.com/m_1',
        note: '&'.repeat(2000),
      });
      expect(Buffer.byteLength(html)).toBeLessThan(100_000);
      expect(html).toContain('This continues in the report.');
      expect(html).toMatch(/Summary<\/h2>[^]*Decisions<\/h2>[^]*Tasks<\/h2>/);
      expect(html).toContain('Open the report');
      expect(html.match(/<t(?:able|r|d)\b/g)?.length).toBe(html.match(/<\/t(?:able|r|d)>/g)?.length);
    },
  );

  it('is of bounded size, on one subject line and without a tag of the report, whatever it holds', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const mail = renderFollowUp(buildDigest(report));
        expect(mail.subject).not.toMatch(/[\r\n]/);
        expect(mail.subject.length).toBeLessThanOrEqual(200);
        expect(mail.text.length).toBeLessThanOrEqual(30_300);
        expect(Buffer.byteLength(mail.html)).toBeLessThanOrEqual(100_000);
        expect(mail.html).not.toMatch(/<script|<!channel|<@U1/);
        expect(() => encodeURIComponent(mail.subject + mail.text + mail.html)).not.toThrow();
      }),
      { numRuns: 12 },
    );
  });
});
