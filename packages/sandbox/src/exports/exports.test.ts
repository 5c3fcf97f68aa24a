import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { makeFilename } from '../handlers/exports.ts';
import { readZipEntry } from '../testing/files.ts';
import { useTestSandbox } from '../testing/sandbox.ts';
import { listLines } from './markdown.ts';
import { renderPdf } from './pdf.ts';

const service = useTestSandbox();

async function download(meetingId: string, query: Record<string, string>) {
  const search = new URLSearchParams({ meeting_id: meetingId, ...query });
  const response = await fetch(`${service.url}/api/storage/download?${search.toString()}`, {
    headers: { 'X-API-KEY': 'sandbox_key' },
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    disposition: response.headers.get('content-disposition'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const downloadText = async (meetingId: string, query: Record<string, string> = {}) =>
  (await download(meetingId, { format: 'md', ...query })).bytes.toString();

describe('Markdown', () => {
  it('holds the facts, the report, the tasks and the transcript', async () => {
    const meetingId = await service.holdMeeting();
    const { status, type, disposition, bytes } = await download(meetingId, { format: 'md' });
    expect([status, type, disposition]).toEqual([
      200,
      'text/markdown; charset=utf-8',
      'attachment; filename="Launch review shared calendars.md"',
    ]);
    const text = bytes.toString();
    expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      '# Launch review: shared calendars',
      '## Summary',
      '## Decisions',
      '## Tasks',
      '## Transcript',
      '### Where the beta stands',
      '### Migration and the slow first load',
      '### Rollout and texts',
    ]);
    expect(text).toContain(
      '- Date: 2026-07-07 12:00 (UTC)\n- Duration: 02:20\n- Source: gmeet\n- Speakers: Maya Lindqvist, Tom Okafor, Priya Raman\n',
    );
    expect(text).toContain('- Write the help page about permissions (Tom Okafor, due 2026-07-10)\n');
    expect(text).toContain('- Set up the ten-minute check on Thursday (Maya Lindqvist)\n');
    expect(text).toContain('\n\n**00:04 Maya Lindqvist:** Thanks for making it. ');
  });

  it.each([
    [{ include_report: 'false' }, ['## Tasks', '## Transcript']],
    [{ include_tasks: 'false' }, ['## Summary', '## Decisions', '## Transcript']],
    [{ include_report: 'false', include_tasks: 'false' }, ['## Transcript']],
  ])('leaves out report and tasks on request: %j', async (query: Record<string, string>, headings) => {
    const text = await downloadText(await service.holdMeeting(), query);
    expect(text.match(/^## .*$/gm)).toEqual(headings);
  });

  it('takes the template that is named, and the tasks of the meeting where it has none', async () => {
    const meetingId = await service.holdMeeting();
    expect(await download(meetingId, { format: 'md', template_name: 'sales-coaching' })).toMatchObject({
      status: 404,
    });
    await service.call('POST', '/api/generate-new-template', {
      meeting_id: meetingId,
      template_name: 'sales-coaching',
    });
    const text = await downloadText(meetingId, { template_name: 'sales-coaching' });
    expect(text).toContain('## Sales coach\n\n**Maya Lindqvist**\n\n- ');
    expect(text).toContain('## Tasks\n\n- Start the copy');
    expect(text).not.toContain('## Summary\n');
  });

  it.each([
    ['Asia/Kolkata', '17:30'],
    ['America/New_York', '08:00'],
  ])('has its times in the zone %s', async (timezone, time) => {
    const text = await downloadText(await service.holdMeeting(), { timezone });
    expect(text).toContain(`- Date: 2026-07-07 ${time} (${timezone})\n`);
  });

  it('has rewritten blocks as they were rewritten', async () => {
    const meetingId = await service.holdMeeting();
    const report = (await service.readReport(meetingId)).body as {
      followup_v2: { templates: { id: string }[] };
    };
    await service.call('PUT', `/api/meeting/${meetingId}/summary`, {
      templateId: report.followup_v2.templates[0]?.id,
      entityName: 'tasks',
      newSummaryText: 'Nothing is left to do.',
    });
    expect(await downloadText(meetingId)).toContain('## Tasks\n\nNothing is left to do.\n');
  });

  it('says that the transcript is empty', async () => {
    const meetingId = await service.holdMeeting();
    service.sandbox.completeMeeting(meetingId, { isTranscriptEmpty: true });
    const text = await downloadText(meetingId);
    expect(text).toContain('- Duration: 00:00\n- Source: gmeet\n\nNobody spoke.\n');
    expect(text).not.toContain('##');
  });
});

describe('a file of a meeting in another language', () => {
  const exportScript = async (scriptId: string, isTranscriptEmpty = false): Promise<string> => {
    const meetingId = await service.holdMeeting();
    service.sandbox.completeMeeting(meetingId, { scriptId, isTranscriptEmpty });
    return downloadText(meetingId);
  };

  it.each([
    ['de/retrospective', '- Datum: 2026', ['Zusammenfassung', 'Entscheidungen', 'Aufgaben', 'Transkript']],
    ['ja/project-sync', '- 時間：', ['要約', '決定事項', 'タスク', '文字起こし']],
  ])('has its own words in that language: %s', async (scriptId, fact, headings) => {
    const text = await exportScript(scriptId);
    expect(text).toContain(fact);
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(headings);
    expect(text).not.toMatch(/\bdue\b|Speakers/);
  });

  it('says in that language that the transcript is empty', async () => {
    expect(await exportScript('ja/sales-call', true)).toContain('\n\n発言はありませんでした。\n');
  });
});

describe('DOCX', () => {
  it('is a Word document with the text of the meeting', async () => {
    await service.holdMeeting();
    const meetingId = await service.holdMeeting({ title: 'Склад & «Рига» <1>' });
    const { type, bytes } = await download(meetingId, { format: 'docx' });
    expect(type).toBe('application/vnd.openxmlformats-officedocument.wordprocessingml.document');
    const xml = readZipEntry(bytes, 'word/document.xml') ?? '';
    const texts = [...xml.matchAll(/<w:t[^>]*>([^<]*)<\/w:t>/g)].map(([, text]) => text);
    expect(texts[0]).toBe('Склад &amp; «Рига» &lt;1&gt;');
    expect(texts.join('\n')).toContain('\nSix new scanners are ordered today');
    expect(texts).toContain("- Approve the purchase of six scanners (Liam O'Brien, due 2026-07-07)");
    expect(xml).toMatch(/<w:outlineLvl w:val="1"\/>.{0,200}<w:t[^>]*>Transcript</);
    expect(xml).not.toContain('**');
    expect(readZipEntry(bytes, '[Content_Types].xml')).toContain('wordprocessingml');
  });
});

describe('PDF', () => {
  it('is a PDF, with the same bytes for the same meeting', async () => {
    const meetingId = await service.holdMeeting();
    const { type, bytes } = await download(meetingId, { format: 'pdf' });
    expect(type).toBe('application/pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.subarray(-6).toString()).toBe('%%EOF\n');
    expect((await download(meetingId, { format: 'pdf' })).bytes.equals(bytes)).toBe(true);
  });

  it('shows what Latin-1 holds, question marks for the rest, and goes on to further pages', () => {
    const lines = Array.from({ length: 100 }, () => ({ level: 0, text: 'line' }));
    const first = { level: 0, text: `Für (5) \\ Жük 会议 ${'long '.repeat(20)}${'x'.repeat(90)}` };
    const text = Buffer.from(renderPdf([first, ...lines])).toString('latin1');
    const row = String.raw`F\u00fcr \(5\) \\ ?\u00fck ??`.replaceAll(String.raw`\u00fc`, '\u00fc');
    expect(text).toContain(`(${row}${' long'.repeat(12)}) Tj`);
    expect(text).toContain(`(${'x'.repeat(80)}) Tj T*\n(${'x'.repeat(10)}) Tj`);
    expect(text).toMatch(/\/Count 2 /);
    // Every entry of the table is where its object begins.
    for (const [index, [, place]] of [...text.matchAll(/^(\d{10}) 00000 n $/gm)].entries())
      expect(text.slice(Number(place)).startsWith(`${index + 1} 0 obj\n`)).toBe(true);
  });
});

describe('the name of the file', () => {
  it.each([
    ['../../etc/passwd', 'attachment; filename="etc passwd.md"'],
    ['C:\\temp\\..\\x', 'attachment; filename="C temp .. x.md"'],
    ['"; filename="evil.exe', 'attachment; filename="filename= evil.exe.md"'],
    ['...', 'attachment; filename=meeting.md'],
    ['Планы', `attachment; filename="?????.md"; filename*=UTF-8''%D0%9F%D0%BB%D0%B0%D0%BD%D1%8B.md`],
  ])('of %j is safe', async (title, disposition) => {
    const meetingId = await service.holdMeeting({ title });
    expect((await download(meetingId, { format: 'md' })).disposition).toBe(disposition);
  });
});

describe('what is no file', () => {
  it.each(['md', 'pdf', 'docx'])('is 409 until the meeting is ready (%s)', async (format) => {
    const answer = await download(await service.record(), { format });
    expect([answer.status, answer.type, answer.disposition, JSON.parse(answer.bytes.toString())]).toEqual([
      409,
      'application/json; charset=utf-8',
      null,
      {
        code: 'REPORT_NOT_READY',
        message: 'The report of this meeting is not ready: wait until its status is new or processed.',
        field: 'meeting_id',
      },
    ]);
  });

  it.each([
    [{ format: 'odt' }, 400, 'format'],
    [{ format: 'md', timezone: 'Mars/Olympus' }, 400, 'timezone'],
    [{ format: 'md', include_tasks: 'yes' }, 400, 'include_tasks'],
    [{ format: 'md', meeting_id: 'unknown' }, 404, 'meeting_id'],
  ])('refuses %j', async (query, status, field) => {
    const answer = await download(await service.holdMeeting(), query);
    expect([answer.status, JSON.parse(answer.bytes.toString())]).toMatchObject([status, { field }]);
  });
});

describe('the lines of a file', () => {
  it('are headings and texts without marks', () => {
    expect(listLines('# Title\n\none **two** three\r\n- a\n\n###### #b\n#c\n')).toEqual([
      { level: 1, text: 'Title' },
      { level: 0, text: 'one two three' },
      { level: 0, text: '- a' },
      { level: 6, text: '#b' },
      { level: 0, text: '#c' },
    ]);
  });
});

describe('makeFilename', () => {
  it('never leaves the folder, is never hidden and never too long', () => {
    // Halves of surrogate pairs and control characters among them.
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 400 }), (title) => {
        const name = makeFilename(title, 'pdf');
        expect(name).toMatch(/^[^.\s/\\][^/\\\p{Cc}]*\.pdf$/u);
        expect(Array.from(name).length).toBeLessThanOrEqual(104);
      }),
    );
  });
});
