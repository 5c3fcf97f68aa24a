import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildDigest } from '../digest.ts';
import { hostileReport, sampleReport } from '../testing/sample-report.ts';
import { renderMailRecap } from './render-mail-recap.ts';

describe('renderMailRecap', () => {
  it('says the same as text and as HTML', () => {
    const mail = renderMailRecap(buildDigest(sampleReport), 'https://app.example.com/m_1?a=1&b=2');
    expect(mail.subject).toBe('Recap: Weekly sync');
    expect(mail.text).toContain('• Send the offer (due 2026-07-10)');
    expect(mail.html).toContain('• Send the offer (due 2026-07-10)</p>');
    expect(mail.html).toContain('• budget &lt;fixed&gt;</p>');
    expect(mail.html).toContain('<a href="https://app.example.com/m_1?a=1&amp;b=2">Open the report</a>');
    expect(mail.html).toContain('max-width:600px');
  });

  it('is of bounded size, on one subject line and without a tag of the report, whatever it holds', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const mail = renderMailRecap(buildDigest(report));
        expect(mail.subject).not.toMatch(/[\r\n]/);
        expect(mail.subject.length).toBeLessThanOrEqual(200);
        expect(mail.text.length).toBeLessThanOrEqual(30_100);
        expect(mail.html.length).toBeLessThanOrEqual(300_000);
        expect(mail.html).not.toMatch(/<script|<!channel|<@U1/);
        expect(() => encodeURIComponent(mail.subject + mail.text + mail.html)).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });
});
