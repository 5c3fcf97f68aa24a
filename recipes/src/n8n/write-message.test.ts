import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findCode, runCode } from '../testing/n8n/run-code.ts';
import { drawFor, event, hostileReport } from '../testing/n8n/workflows.ts';

const settings = {
  channel: 'C1',
  link: 'https://app.example/m/{meeting_id}',
  mail_to: '',
  internal_domains: 'example.com',
  except: '',
  include: 'summary, decisions, tasks',
};

function write(
  use: string,
  report: unknown,
  more: { when?: object; settings?: object; event?: object } = {},
) {
  const { workflow } = drawFor(use, { when: { ...more.when } });
  const data = typeof report === 'string' ? report : JSON.stringify(report);
  return runCode(findCode(workflow, 'Write the message'), [{ statusCode: 200, data }], {
    Settings: [{ ...settings, ...more.settings }],
    'Check the delivery': [{ ...event, ...more.event }],
  }).map(({ json }) => json);
}

describe('Write the message', () => {
  it('makes a Slack message in which every text is text', () => {
    const [item] = write('slack-recap', hostileReport);
    expect(item).toMatchObject({ send: true, message: { channel: 'C1' } });
    const { message } = z(item);
    expect(message.text).not.toContain('<');
    expect(new Set(message.blocks.map(({ type }) => type))).toEqual(
      new Set(['header', 'context', 'rich_text']),
    );
    const written = JSON.stringify(message.blocks);
    expect(written).not.toContain('mrkdwn');
    expect(listLinks(written)).toEqual(['https://a.example/x', 'https://app.example/m/m_1']);
  });

  it('holds back what has no transcript, by the event or by the report', () => {
    expect(write('slack-recap', hostileReport, { event: { is_transcript_empty: true } })).toEqual([
      { send: false, why: 'the transcript of this meeting is empty' },
    ]);
    const empty = { report: { is_transcript_empty: true } };
    expect(write('email-follow-up', empty)).toEqual([
      { send: false, why: 'the transcript of this meeting is empty' },
    ]);
    expect(write('slack-recap', empty, { when: { isTranscriptEmpty: true } })).toEqual([
      { send: false, why: 'the transcript of this meeting is empty' },
    ]);
    expect(write('slack-recap', hostileReport, { when: { isTranscriptEmpty: true } })).toEqual([
      { send: false, why: 'the transcript of this meeting is not empty' },
    ]);
  });

  it.each([
    [{ tag: 'sales' }, true],
    [{ tag: ['hr'] }, false],
    [{ source: 'ZOOM' }, true],
    [{ title: '*HANNEL>*' }, true],
    [{ title: ['HR*', 'Daily*'] }, false],
    [{ template: 't_1' }, true],
    [{ template: 'default-meeting' }, true],
    [{ template: ['x', 'Default  meeting'] }, true],
    [{ template: 'Team Sync' }, false],
    [{ participantDomain: 'other.example' }, true],
    [{ participantDomain: ['@OTHER.example'] }, true],
    [{ participantDomain: 'evil.example' }, false],
    [{ participantDomain: 'ther.example' }, false],
    [{ duration: { atLeast: '1h', atMost: '60m' } }, true],
    [{ duration: { atLeast: '3601s' } }, false],
  ])('judges the report by %j', (when, isSent) => {
    // Where the event has a title, that was judged before.
    const untitled = { ...event, title: '' };
    expect(write('slack-recap', hostileReport, { when, event: untitled })).toMatchObject([{ send: isSent }]);
  });

  it('leaves the title to the event where that has one', () => {
    expect(write('slack-recap', hostileReport, { when: { title: 'From*' } })).toMatchObject([{ send: true }]);
  });

  it('reads a report in any wrapper, with blocks that are text or objects', () => {
    const plain = {
      title: 'Plain',
      summary: 'All good',
      decisions: ['One'],
      tasks: [{ task: 'Do it', owner: 'Bob' }],
    };
    for (const report of [plain, { data: plain }, { followup: { report: plain } }]) {
      const [item] = write('http-forward', report);
      expect(JSON.parse(String(item?.['text']))).toMatchObject({
        data: {
          title: 'Plain',
          summary: 'All good',
          decisions: ['One'],
          tasks: [{ text: 'Do it', owner: 'Bob', due: null }],
        },
      });
    }
  });

  it('writes to insiders alone unless addresses are named, one mail each', () => {
    expect(write('email-follow-up', hostileReport).map(({ to }) => to)).toEqual(['ann@example.com']);
    const named = { mail_to: 'a@b.example, c@d.example\r\nBcc: x@y.example, e@f.example' };
    expect(write('email-follow-up', hostileReport, { settings: named }).map(({ to }) => to)).toEqual([
      'a@b.example',
      'e@f.example',
    ]);
    const [mail] = write('email-follow-up', hostileReport);
    expect(mail?.['subject']).toBe('Recap: Sync <!channel> Bcc: evil@z.io');
    expect(mail?.['html']).not.toContain('<script');
    expect(mail?.['html']).toContain('<a href="https://a.example/x">docs</a>');
    expect(mail?.['html']).not.toContain('href="javascript');
  });

  it('keeps tasks that have no reader from being sent', () => {
    const drawTasks = (people: object, channel: string) => {
      const { workflow } = drawFor('slack-tasks', { with: { people } });
      const data = JSON.stringify(hostileReport);
      return runCode(findCode(workflow, 'Write the message'), [{ statusCode: 200, data }], {
        Settings: [{ ...settings, channel }],
        'Check the delivery': [event],
      }).map(({ json }) => [json['send'], json['user'], json['email']]);
    };
    const ann = 'ann@example.com';
    expect(drawTasks({}, '')).toEqual([
      [true, '', ann],
      [false, '', ''],
    ]);
    expect(drawTasks({ 'ANN lee': 'U0ANN' }, 'C1')).toEqual([
      [true, 'U0ANN', ann],
      [true, '', ''],
    ]);
    expect(drawTasks({ [ann]: 'U0ANN', constructor: 'U0X' }, '')[0]).toEqual([true, 'U0ANN', ann]);
  });

  it('never writes to whom the recipe leaves out', () => {
    const named = { mail_to: 'a@b.example, c@D.example, e@sub.d.example' };
    const except = 'A@b.example, @d.example';
    expect(write('email-follow-up', hostileReport, { settings: { ...named, except } })).toMatchObject([
      { to: 'e@sub.d.example' },
    ]);
    expect(write('email-follow-up', hostileReport, { settings: { except: 'example.com' } })).toEqual([]);
  });

  it('makes a report again only where it is known not to have the template', () => {
    const told = (chosen: object) => write('regenerate', hostileReport, { settings: chosen })[0];
    expect(told({ template_name: 'sales-meeting', shownAs: '' })).toMatchObject({ send: true });
    expect(told({ template_name: 'default-meeting', shownAs: '' })).toMatchObject({ send: false });
    expect(told({ template_name: 'b84e20c9', shownAs: 'default MEETING' })).toMatchObject({ send: false });
    expect(() => told({ template_name: 'b84e20c9', shownAs: '' })).toThrow('Set shownAs');
  });

  it('names a file for each format', () => {
    const files = write('archive-export', hostileReport, {
      settings: { formats: 'docx, md', folder: '/f/' },
    });
    expect(files).toMatchObject([
      { format: 'docx', file: '/f/2026-07-07_Sync channel Bcc evil z io_m_1.docx' },
      { format: 'md', file: '/f/2026-07-07_Sync channel Bcc evil z io_m_1.md' },
    ]);
  });

  it('sends on what was asked for', () => {
    const [item] = write('http-forward', hostileReport, { settings: { include: 'summary' } });
    const { data } = JSON.parse(String(item?.['text']));
    expect(Object.keys(data)).toContain('summary');
    expect(Object.keys(data)).not.toContain('tasks');
  });

  it('makes a row for each task of its own, under a key that stays', () => {
    const rows = write('notion-tasks', hostileReport, {
      settings: { data_source_id: 'ds', key_property: 'K' },
    });
    expect(rows.map(({ key }) => key)).toEqual([
      'm_1|2026-07-07T12:00:00Z|eb2c220c29cce141',
      'm_1|2026-07-07T12:00:00Z|b2ecf642e5ba21cc',
      'm_1|2026-07-07T12:00:00Z|08e31107b5814464',
    ]);
  });

  it('takes any text without a throw, and stays within the limits of Slack and Notion', () => {
    const anyReport = fc.record({
      name: fc.string(),
      summary: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.anything(),
        fc.constant('**bold** <!here> '.repeat(2000)),
      ),
      decisions: fc.oneof(fc.array(fc.string()), fc.anything()),
      tasks: fc.oneof(
        fc.array(fc.record({ text: fc.string(), owner: fc.string() }), { maxLength: 150 }),
        fc.anything(),
      ),
      participants: fc.anything(),
      templates: fc.anything(),
    });
    fc.assert(
      fc.property(anyReport, (report) => {
        const [item] = write('slack-recap', JSON.stringify({ followup_v2: report }));
        const { message } = z(item);
        expect(message.blocks.length).toBeLessThanOrEqual(50);
        expect(countTexts(message.blocks)).toBeLessThanOrEqual(9000);
        const [page] = write('notion-page', JSON.stringify(report), { settings: { key_property: 'K' } });
        const children: unknown = Reflect.get(Object(page?.['page']), 'children');
        expect(Array.isArray(children) && children.length <= 100).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});

interface Message {
  readonly message: { readonly text: string; readonly blocks: readonly { readonly type: string }[] };
}

/** The one place where what JavaScript wrote gets its type. */
function z(item: unknown): Message {
  return item as Message;
}

/** The letters of all texts in it. */
function countTexts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, one]) => sum + (name === 'text' && typeof one === 'string' ? one.length : countTexts(one)),
    0,
  );
}

function listLinks(json: string): readonly string[] {
  return [...json.matchAll(/"url":"([^"]*)"/g)].map(([, url = '']) => url);
}
