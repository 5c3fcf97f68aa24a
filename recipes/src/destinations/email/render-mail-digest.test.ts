import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildDigest } from '../../report/digest.ts';
import { hostileReport, sampleReport } from '../../testing/sample-report.ts';
import { renderMailDigest } from './render-mail-digest.ts';

const period = { fromMs: Date.parse('2026-07-07T06:00:00Z'), toMs: Date.parse('2026-07-08T06:00:00Z') };

const sample = buildDigest(sampleReport);

const linkTo = (meetingId: string): string => `https://app.example.com/${meetingId}`;

describe('renderMailDigest', () => {
  it('shows no part of a table, and says that more follows', () => {
    const digest = buildDigest({
      ...sampleReport,
      summary: 'Out on Tuesday.\n\n| Day | Share |\n|---|---|\n| Tuesday | 10% |\n\nOne\n\nTwo\n\nThree',
    });
    const { text } = renderMailDigest([{ digest }], period, 'Europe/Berlin', () => undefined);
    expect(text).toContain('Out on Tuesday.\nOne\nTwo …\n');
  });

  it('tells of each meeting in a few lines, by the clocks of the time zone, and gathers the tasks of each owner', () => {
    const quiet = buildDigest({
      ...sampleReport,
      meetingId: 'm_2',
      title: 'Stand-up',
      isTranscriptEmpty: true,
      decisions: [],
      tasks: [{ text: 'Send the offer', owner: 'Ann Lee' }],
    });
    const mail = renderMailDigest([{ digest: sample }, { digest: quiet }], period, 'Europe/Berlin', linkTo);
    expect(mail.subject).toBe('2 meetings since Tue 7 Jul, 08:00');
    expect(mail.text).toBe(
      [
        '2 meetings since Tue 7 Jul, 08:00',
        'Tue 7 Jul, 08:00 to Wed 8 Jul, 08:00 (Europe/Berlin)',
        '',
        'Weekly sync',
        'Tue 7 Jul, 13:00 · 1 h 05 min · Ann Lee, Bob · Zoom',
        'We agreed on the plan.',
        '• budget <fixed>',
        '• start & end',
        '✓ Ship on Friday',
        '3 open tasks, 1 decision',
        'Report: https://app.example.com/m_1',
        '',
        'Stand-up',
        'Tue 7 Jul, 13:00 · 1 h 05 min · Ann Lee, Bob · Zoom',
        'Nothing was transcribed.',
        '1 open task, 0 decisions',
        'Report: https://app.example.com/m_2',
        '',
        'Open tasks',
        'Ann Lee:',
        '• Send the offer (due 10 Jul 2026) · Weekly sync',
        '• Write the minutes · Weekly sync',
        '• Send the offer · Stand-up',
        'No owner:',
        '• Book a room · Weekly sync',
        '',
        '-- ',
        'You receive this mail because your address is on the list for digests of meetings.',
        '',
      ].join('\n'),
    );
    expect(mail.html).toContain('<h1 dir="auto"');
    expect(mail.html).toContain('Weekly sync</h2>');
    expect(mail.html).toContain('• budget &lt;fixed&gt;<br>');
    expect(mail.html).toContain('Open tasks</h2>');
    expect(mail.html).toContain('href="https://app.example.com/m_2"');
  });

  it('shows the beginning of a summary alone', () => {
    const digest = buildDigest({ ...sampleReport, summary: `${'word '.repeat(200)}\n\nlast line` });
    const { text } = renderMailDigest([{ digest }], period, 'UTC', () => undefined);
    expect(text).toMatch(/word…\n/);
    expect(text).not.toContain('last line');
    expect(text).not.toContain('Report:');
  });

  it('counts what a mail has no room for', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({
      digest: { ...sample, title: `Meeting ${index}` },
    }));
    const mail = renderMailDigest(many, period, 'UTC', linkTo);
    const shown = mail.text.match(/^Meeting \d+$/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(50);
    expect(mail.text).toContain(`\n\nAnd ${500 - shown} meetings more, for which there is no room here.\n`);
    expect(mail.html).toContain(`Meeting ${shown - 1}</h2>`);
    expect(mail.html).not.toContain(`Meeting ${shown}</h2>`);
    expect(Buffer.byteLength(mail.html)).toBeLessThanOrEqual(100_000);
    expect(mail.html).toContain('There are more tasks in the reports.');
  });

  it('counts the meetings that it can tell nothing of, each with its reason', () => {
    const leftOut = ['too_many', 'not_ready', 'deleted', 'not_ready', 'unreadable'] as const;
    const meetings = [{ digest: sample }, ...leftOut.map((reason) => ({ leftOut: reason }))];
    const mail = renderMailDigest(meetings, period, 'UTC', () => undefined);
    expect(mail.subject).toBe('6 meetings since Tue 7 Jul, 06:00');
    expect(mail.text.split('\n\n').slice(2, -2)).toEqual([
      'And 1 meeting more, for which there is no room here.',
      'Of 2 meetings the report was not ready yet.',
      'Of 1 meeting the report was deleted.',
      'Of 1 meeting the report could not be read.',
    ]);
    expect(mail.html).toContain('Of 1 meeting the report could not be read.');
  });

  it('is of bounded size, on one subject line and without a tag of the reports, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(hostileReport, { maxLength: 3 }), (reports) => {
        const meetings = reports.map((report) => ({ digest: buildDigest(report) }));
        const mail = renderMailDigest(meetings, period, 'UTC', () => undefined);
        expect(mail.subject).not.toMatch(/[\r\n]/);
        expect(mail.text.length).toBeLessThanOrEqual(31_000);
        expect(Buffer.byteLength(mail.html)).toBeLessThanOrEqual(100_000);
        expect(mail.html).not.toMatch(/<script|<!channel|<@U1/);
        expect(() => encodeURIComponent(mail.subject + mail.text + mail.html)).not.toThrow();
      }),
      { numRuns: 6 },
    );
  });
});
