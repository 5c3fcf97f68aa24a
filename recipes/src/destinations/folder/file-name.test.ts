import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildDigest, type Digest } from '../../report/digest.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { writeFileName } from './file-name.ts';

const usual = { pattern: '{date}_{time}_{title}_{id}', format: 'pdf' };

function digest(changes: Partial<Digest>): Digest {
  const { startedLocal: _local, ...plain } = buildDigest({ ...sampleReport, decisions: [], tasks: [] });
  return { ...plain, startedAt: '2026-07-07T22:30:00Z', ...changes };
}

describe('a file name', () => {
  it.each([
    [{}, {}, '2026-07-07_22-30_Weekly sync_m_1.pdf'],
    [{}, { timeZone: 'Asia/Tokyo' }, '2026-07-08_07-30_Weekly sync_m_1.pdf'],
    [{ startedLocal: '2026-07-08 01:30' }, {}, '2026-07-08_01-30_Weekly sync_m_1.pdf'],
    [{ startedLocal: '2026-07-08 01:30' }, { timeZone: 'UTC' }, '2026-07-07_22-30_Weekly sync_m_1.pdf'],
    [{ startedAt: 'soon' }, {}, 'undated_00-00_Weekly sync_m_1.pdf'],
    [{ title: '../../etc/passwd' }, { pattern: '{title}_{id}' }, '_.._etc_passwd_m_1.pdf'],
    [{ title: 'C:\\temp\\a?b' }, { pattern: '{title}_{id}' }, 'C__temp_a_b_m_1.pdf'],
    [{ title: 'Cafe\u0301 \u202Etxt\u0000' }, { pattern: '{title}_{id}' }, 'Café txt_m_1.pdf'],
    [
      { title: 'Launch review: shared calendars' },
      { pattern: '{title}_{id}' },
      'Launch review - shared calendars_m_1.pdf',
    ],
    [{ title: 'Sales / EU | Q3: "why?"' }, { pattern: '{title}_{id}' }, 'Sales - EU - Q3 - why_m_1.pdf'],
    [{ title: '9:30 stand-up -' }, { pattern: '{title}_{id}' }, '9-30 stand-up_m_1.pdf'],
    [{ title: 'Agenda:' }, { pattern: '{title}_{id}' }, 'Agenda_m_1.pdf'],
    [{}, { pattern: '{id}_{template}', template: 'a/b' }, 'm_1_c14cddc033f6.pdf'],
    [{ title: 'a {id} b' }, { pattern: '{title}_{id}' }, 'a {id} b_m_1.pdf'],
    [{ meetingId: 'con' }, { pattern: '{id}' }, '_con.pdf'],
    [{ meetingId: 'a/b' }, { pattern: '{id}' }, 'c14cddc033f6.pdf'],
  ])('of %o with %o', (changes, naming, name) => {
    expect(writeFileName(digest(changes), { ...usual, ...naming })).toBe(name);
  });

  it('cuts the title and nothing else', () => {
    const name = writeFileName(digest({ title: 'Планёрка '.repeat(60) }), usual);
    expect(name).toMatch(/^2026-07-07_22-30_Планёрка .*_m_1\.pdf$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  });

  it('keeps meetings apart where the pattern alone is too long for a name', () => {
    const pattern = `${'я'.repeat(110)}_{id}_{time}`;
    const names = [
      { meetingId: 'm_1' },
      { meetingId: 'm_2' },
      { meetingId: 'm_2', startedAt: '2026-07-07T23:30:00Z' },
    ].map((changes) => writeFileName(digest(changes), { ...usual, pattern }));
    expect(names.map((name) => name.slice(0, 16))).toEqual([
      'd77a5bd75f4c_яяя',
      '92b00ebba079_яяя',
      '9875ec9b5396_яяя',
    ]);
    expect(Math.max(...names.map((name) => Buffer.byteLength(name)))).toBeLessThanOrEqual(200);
  });

  it('stays a name whatever the meeting is called, and never that of another meeting', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string(),
        fc.string(),
        (title, one, other) => {
          const names = [one, other].map((meetingId) => writeFileName(digest({ title, meetingId }), usual));
          for (const name of names) {
            expect(name).not.toMatch(/[/\\\p{Cc}]/u);
            expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
            expect(name.endsWith('.pdf')).toBe(true);
          }
          expect(names[0] === names[1]).toBe(one === other);
        },
      ),
      { numRuns: 60 },
    );
  });
});
