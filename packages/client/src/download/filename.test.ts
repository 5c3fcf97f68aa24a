import { posix, win32 } from 'node:path';

import { anyCodePoint } from '@aftermeet/test/any-code-point';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { chooseFilename, makeSafeFilename } from './filename.ts';

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

function isSafe(name: string): boolean {
  return (
    posix.basename(name) === name &&
    win32.basename(name) === name &&
    /^[^.\s-].*\.pdf$/u.test(name) &&
    !/[<>:"/\\|?*\p{C}]/u.test(name) &&
    !reserved.test(name) &&
    Buffer.byteLength(name) <= 200 &&
    makeSafeFilename(name, 'pdf') === name
  );
}

describe('makeSafeFilename', () => {
  it.each([
    ['Weekly sync.pdf', 'Weekly sync.pdf'],
    ['Weekly sync', 'Weekly sync.pdf'],
    ['REPORT.PDF', 'REPORT.pdf'],
    ['virus.exe', 'virus.exe.pdf'],
    ['../../etc/passwd', '_.._etc_passwd.pdf'],
    ['..\\..\\boot.ini', '_.._boot.ini.pdf'],
    ['.bashrc', 'bashrc.pdf'],
    ['...', undefined],
    ['/', undefined],
    ['.pdf', undefined],
    ['', undefined],
    ['-rf', 'rf.pdf'],
    ['a\u0000b\r\nc\u001B', 'abc.pdf'],
    ['gpj.\u202Efdp', 'gpj.fdp.pdf'],
    ['half \uD800 pair', 'half pair.pdf'],
    ['a<b>c:d"e|f?g*h', 'a_b_c_d_e_f_g_h.pdf'],
    ['CON', '_CON.pdf'],
    ['con.txt.pdf', '_con.txt.pdf'],
    ['nul .pdf', '_nul.pdf'],
    ['LPT9', '_LPT9.pdf'],
    ['COM¹', '_COM¹.pdf'],
    ['console', 'console.pdf'],
    ['trailing. . .', 'trailing.pdf'],
    ['Встреча — отчёт', 'Встреча — отчёт.pdf'],
    ['e\u0301te\u0301', '\u00E9t\u00E9.pdf'],
    ['e\u0000\u0301', '\u00E9.pdf'],
  ])('makes of %j %j', (text, name) => {
    expect(makeSafeFilename(text, 'pdf')).toBe(name);
  });

  it('cuts between characters', () => {
    const name = makeSafeFilename('👍'.repeat(100), 'docx');
    expect(name).toBe(`${'👍'.repeat(48)}.docx`);
  });

  it('is a bare name on every system, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCodePoint }),
      fc
        .array(fc.constantFrom('..', '/', '\\', '.', ' ', 'CON', 'a', ':', '\u0000', '.pdf'))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (given) => {
        const name = makeSafeFilename(given, 'pdf');
        return name === undefined || isSafe(name);
      }),
    );
  });
});

describe('chooseFilename', () => {
  it.each([
    ['attachment; filename="Weekly sync.pdf"', 'Weekly sync.pdf'],
    ['attachment; filename=sync.pdf', 'sync.pdf'],
    ['attachment; filename="x.pdf"; filename*=UTF-8\'\'%D0%9E%D1%82%D1%87%D1%91%D1%82.pdf', 'Отчёт.pdf'],
    ["attachment; filename*=UTF-8''Weekly%20sync.pdf; filename=x.pdf", 'Weekly sync.pdf'],
    ["attachment; filename*=iso-8859-1''caf%E9.pdf", 'café.pdf'],
    ["attachment; filename*=UTF-8''%FF; filename=x.pdf", 'x.pdf'],
    [Buffer.from('attachment; filename="Отчёт.pdf"').toString('latin1'), 'Отчёт.pdf'],
    ['attachment; filename="caf\u00E9.pdf"', 'café.pdf'],
    ['attachment; filename="../../../etc/cron.d/x"', 'x.pdf'],
    ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", 'passwd.pdf'],
    ['attachment; filename="C:\\\\Windows\\\\win.ini"', 'win.ini.pdf'],
    ['attachment; filename="a\\"b.pdf"', 'a_b.pdf'],
    ['attachment; filename="/"', 'meeting-m1.pdf'],
    ['attachment; filename=""', 'meeting-m1.pdf'],
    ['attachment', 'meeting-m1.pdf'],
    [';;;=;', 'meeting-m1.pdf'],
    ['', 'meeting-m1.pdf'],
    [null, 'meeting-m1.pdf'],
  ])('reads %j', (disposition, name) => {
    expect(chooseFilename({ disposition, meetingId: 'm1', format: 'pdf' })).toBe(name);
  });

  it('makes the meeting’s id safe too', () => {
    const name = chooseFilename({ disposition: null, meetingId: '../../m/1', format: 'md' });
    expect(name).toBe('meeting-.._.._m_1.md');
  });

  it('has a bare name for any header', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (header) => {
        const name = chooseFilename({
          disposition: `attachment; filename=${header}`,
          meetingId: 'm',
          format: 'md',
        });
        expect(posix.basename(name)).toBe(name);
        expect(name.endsWith('.md')).toBe(true);
      }),
    );
  });
});
