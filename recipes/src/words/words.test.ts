import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { renderFollowUp } from '../destinations/email/render-follow-up.ts';
import { renderMailDigest } from '../destinations/email/render-mail-digest.ts';
import { renderNotionPage } from '../destinations/notion/render-page.ts';
import { renderSlackRecap } from '../destinations/slack/render-recap.ts';
import { buildDigest } from '../report/digest.ts';
import { formatDuration, formatMeetingWhen } from '../report/format-when.ts';
import { hostileReport, sampleReport } from '../testing/sample-report.ts';
import { chooseLook, languageSchema, pickWords, timezoneSchema } from './index.ts';

const locales = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const;

describe('dates and durations', () => {
  it.each([
    ['en', 'Tue 7 Jul, 14:00 (UTC+03:00)', '10 Jul 2026', '1 h 05 min', '45 min'],
    ['de', 'Di., 7. Juli, 14:00 (UTC+03:00)', '10.07.2026', '1 Std. 5 Min.', '45 Min.'],
    ['fr', 'mar. 7 juil. à 14:00 (UTC+03:00)', '10 juil. 2026', '1 h 05', '45 min'],
    ['es', 'mar, 7 jul, 14:00 (UTC+03:00)', '10 jul 2026', '1 h 5 min', '45 min'],
    ['pt', 'ter., 7 de jul., 14:00 (UTC+03:00)', '10 de jul. de 2026', '1 h 5 min', '45 min'],
    ['ja', '7月7日(火) 14:00 (UTC+03:00)', '2026/07/10', '1時間5分', '45分'],
  ])('are written as people write them in %s', (language, when, day, long, short) => {
    const words = pickWords(language);
    const start = {
      startedAt: '2026-07-07T11:00:00.000Z',
      startedLocal: '2026-07-07 14:00',
      utcOffset: '+03:00',
    };
    expect(formatMeetingWhen(start, { words })).toBe(when);
    expect(words.day('2026-07-10')).toBe(day);
    expect(words.day('by Friday')).toBe('by Friday');
    expect([formatDuration(3900, words), formatDuration(2700, words)]).toEqual([long, short]);
  });

  it.each(['by Friday', '2026', '2026-07', '10 July', '2026-02-30', '2026-7-10', ''])(
    'stay as they were written where no day is certain: %j',
    (due) => {
      expect(locales.map((language) => pickWords(language).day(due))).toEqual(locales.map(() => due));
    },
  );

  it('are those of the zone of the recipe, or else of the installation, or else of the meeting', () => {
    const { startedAt = '', startedLocal = '', utcOffset = '' } = buildDigest(sampleReport);
    const write = (recipe: object, installation: object) =>
      formatMeetingWhen({ startedAt, startedLocal, utcOffset }, chooseLook(recipe, installation));
    const berlin = { timezone: 'Europe/Berlin', language: 'de' };
    expect(write({ timezone: 'Asia/Tokyo' }, berlin)).toBe('Di., 7. Juli, 20:00 (Asia/Tokyo)');
    expect(write({}, berlin)).toBe('Di., 7. Juli, 13:00 (Europe/Berlin)');
    expect(write({ language: 'ja' }, berlin)).toBe('7月7日(火) 13:00 (Europe/Berlin)');
    expect(write({}, {})).toBe('Tue 7 Jul, 14:00 (UTC+03:00)');
  });
});

describe('a language', () => {
  it('can have a region, and is one that has a catalogue', () => {
    expect(locales.map((tag) => pickWords(tag).locale)).toEqual(locales);
    expect([pickWords('de-AT').locale, pickWords('PT-br').locale, pickWords('sv').locale]).toEqual([
      'de',
      'pt',
      'en',
    ]);
    const takes = (tag: unknown) => languageSchema.safeParse(tag).success;
    expect(['de', 'de-AT', 'ja'].map(takes)).toEqual([true, true, true]);
    expect(['sv', 'german', '', 7].map(takes)).toEqual([false, false, false, false]);
    expect(timezoneSchema.safeParse('Europe/Berlin').success).toBe(true);
    expect(timezoneSchema.safeParse('Berlin').success).toBe(false);
  });
});

describe('a message in German', () => {
  const look = { words: pickWords('de'), timeZone: 'Europe/Berlin' };
  const link = 'https://app.example.com/m_1';
  const digest = buildDigest({
    ...sampleReport,
    title: '',
    participants: [...sampleReport.participants, { name: 'dan@example.com' }],
    tasks: [...sampleReport.tasks, { text: 'Call back', owner: 'dan@example.com' }],
  });

  it('has German words in a mail, and what was said as it was said', () => {
    const mail = renderFollowUp(digest, { ...look, link });
    expect(mail.subject).toBe('Recap: Meeting ohne Titel');
    expect(mail.text.split('\n\n-- \n')[0]).toBe(
      [
        'Meeting ohne Titel',
        '',
        'We agreed on the plan.',
        '',
        'Di., 7. Juli, 13:00 (Europe/Berlin) · 1 Std. 5 Min. · Ann Lee, Bob · Zoom',
        '',
        'Zusammenfassung',
        '• budget <fixed>',
        '• start & end',
        '',
        'Entscheidungen',
        '• Ship on Friday',
        '',
        'Aufgaben',
        'Ann Lee:',
        '• Send the offer (fällig: 10.07.2026)',
        '• Write the minutes',
        'Person ohne Namen:',
        '• Call back',
        'Nicht zugewiesen:',
        '• Book a room',
        '',
        'Fragen und Antworten',
        'What about the budget?',
        '',
        'It is fixed.',
        '',
        `Bericht: ${link}`,
      ].join('\n'),
    );
    expect(mail.html).toContain('<html lang="de">');
    expect(mail.html).toContain('>Zuständig</th>');
    expect(mail.html).toContain('>10.07.2026</td>');
    expect(mail.html).toContain('>Bericht öffnen<');
  });

  it('has them in Slack and in Notion', () => {
    const [recap] = renderSlackRecap(digest, { look, link });
    expect(recap.text).toContain('\n\nEntscheidungen\n• Ship on Friday\n\nAufgaben\nAnn Lee\n');
    expect(recap.text).toContain('Im Thread: Fragen und Antworten');
    const { blocks } = renderNotionPage(digest, { look, link });
    const headings = blocks.flatMap(({ heading_2: heading }) => heading?.rich_text?.[0]?.text.content ?? []);
    expect(headings).toEqual(['Zusammenfassung', 'Entscheidungen', 'Aufgaben', 'Ausführliche Notizen']);
  });

  it('has them in a digest of a period', () => {
    const period = { fromMs: Date.parse('2026-07-07T06:00:00Z'), toMs: Date.parse('2026-07-08T06:00:00Z') };
    const meetings = [{ digest }, { leftOut: 'not_ready' as const }, { leftOut: 'not_ready' as const }];
    const mail = renderMailDigest(meetings, period, 'Europe/Berlin', () => link, undefined, look.words);
    expect(mail.subject).toBe('3 Meetings seit Di., 7. Juli, 08:00');
    expect(mail.text).toContain('\n4 offene Aufgaben, 1 Entscheidung\n');
    expect(mail.text).toContain('Bei 2 Meetings war der Bericht noch nicht fertig.');
    expect(mail.text).toContain('\n\nOffene Aufgaben\nAnn Lee:\n');
  });
});

it('renders any report in any language and zone within the limits of a mail', () => {
  const zone = fc.constantFrom('Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', undefined);
  fc.assert(
    fc.property(hostileReport, fc.constantFrom(...locales), zone, (report, language, timeZone) => {
      const look = { words: pickWords(language), timeZone };
      const digest = buildDigest(report);
      const mail = renderFollowUp(digest, look);
      expect(mail.subject).not.toMatch(/[\r\n]/);
      expect(Buffer.byteLength(mail.html)).toBeLessThanOrEqual(100_000);
      const messages = renderSlackRecap(digest, { look });
      const all = JSON.stringify([mail, messages, renderNotionPage(digest, { look })]);
      expect(() => encodeURIComponent(all)).not.toThrow();
    }),
    { numRuns: 10 },
  );
});
