import { describe, expect, it } from 'vitest';

import { buildDigest, type Digest } from '../../report/digest.ts';
import { parseText } from '../../report/parse-text.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { renderSlackRecap } from './render-recap.ts';

const {
  startedLocal: _local,
  utcOffset: _offset,
  ...digest
}: Digest = { ...buildDigest(sampleReport), sections: [], tags: [] };
const link = 'https://app.example.com/m_1';

/** The texts of the message and its replies. */
function texts(...args: Parameters<typeof renderSlackRecap>): readonly string[] {
  return renderSlackRecap(...args).map(({ text }) => text);
}

function words(count: number, name: string): string {
  return Array.from({ length: count }, (_word, at) => `${name}${String(at)}`).join(' ');
}

// Blocks and limits: test/src/messages.
describe('the first message of a recap', () => {
  it('has all it shows as text too', () => {
    expect(texts({ ...digest, tags: ['sales', 'weekly'] }, { link })).toEqual([
      [
        'Weekly sync',
        '',
        'We agreed on the plan.',
        '',
        'Tue 7 Jul, 11:00 UTC · 1 h 05 min · Ann Lee, Bob · Zoom · sales, weekly',
        '',
        'Summary',
        '• budget &lt;fixed&gt;',
        '• start &amp; end',
        '',
        'Decisions',
        '• Ship on Friday',
        '',
        'Tasks',
        'Ann Lee',
        '• Send the offer (due 10 Jul 2026)',
        '• Write the minutes',
        'No owner',
        '• Book a room',
        '',
        `Open the report: ${link}`,
      ].join('\n'),
    ]);
  });

  it('names task owners, and says which address to look up for a mention', () => {
    const named = {
      ...digest,
      taskGroups: digest.taskGroups.map((group) =>
        group.owner === 'Ann Lee' ? { ...group, email: 'ann@example.com' } : group,
      ),
    };
    const [message] = renderSlackRecap(named);
    expect(message.mentions).toEqual([{ block: 5, element: 1, email: 'ann@example.com' }]);
    expect(JSON.stringify(message.blocks)).not.toContain('ann@example.com');
    expect(renderSlackRecap(named, { mention: false })[0]).not.toHaveProperty('mentions');
  });

  it('shows the time in the zone of the meeting where Slack cannot show that of the reader', () => {
    const local = { ...digest, startedLocal: '2026-07-07 14:00', utcOffset: '+03:00' };
    const [message] = renderSlackRecap(local);
    expect(message.text).toContain('Tue 7 Jul, 14:00 (UTC+03:00) · 1 h 05 min');
    expect(message.blocks[2]).toMatchObject({
      elements: [
        {
          type: 'mrkdwn',
          text: '<!date^1783422000^{date_short_pretty} {time}|Tue 7 Jul, 14:00 (UTC+03:00)>',
        },
        {},
      ],
    });
    const [hostile] = renderSlackRecap({ ...local, utcOffset: '><!channel>' });
    expect(JSON.stringify(hostile.blocks)).not.toContain('<!channel>');
  });

  it('keeps the marks of struck-out text', () => {
    const [text] = texts({ ...digest, summary: parseText('~~For **all**~~ For ten') });
    expect(text).toContain('~~For all~~ For ten');
  });

  it('names what is in the thread', () => {
    const noteOn = (titles: readonly string[], options = {}): string | undefined => {
      const sections = titles.map((title) => ({ title, text: parseText('Rain.') }));
      const [text = ''] = texts({ ...digest, sections }, options);
      return text.split('\n').find((line) => line.includes('the thread'));
    };
    expect(noteOn([])).toBeUndefined();
    expect(noteOn(['Open <questions>', 'Risks'])).toBe('In the thread: Open &lt;questions&gt;, Risks');
    expect(noteOn(['Risks'], { maxTasks: 1 })).toBe('In the thread: More tasks, Risks');
    expect(noteOn(['word '.repeat(25), 'Risks'])).toMatch(/^In the thread: (?:word ){18}word… and more$/);
    expect(noteOn(Array.from({ length: 40 }, (_title, at) => `Section ${String(at)}`))).toBe(
      'In the thread: Section 0, Section 1, Section 2, Section 3, Section 4, Section 5, Section 6, Section 7, Section 8 and more',
    );
  });
});

describe('the thread of a recap', () => {
  it('continues the message in whole words and loses none', () => {
    const summary = words(1000, 'word');
    const [first = '', second = '', ...others] = texts({ ...digest, summary: parseText(summary) }, { link });
    expect(others).toEqual([]);
    expect(first).toContain('This continues in the thread.');
    expect(second.startsWith('Summary (continued)\nword')).toBe(true);
    expect(`${first} ${second}`.match(/\bword\d+\b/g)).toEqual(summary.split(' '));
  });

  it('repeats the owner of the tasks that continue', () => {
    const tasks = Array.from({ length: 120 }, (_task, at) => ({
      text: `task ${String(at)} of many`,
      owner: 'Ann Lee',
    }));
    const all = texts({ ...buildDigest({ ...sampleReport, tasks }), sections: [] });
    expect(all[1]?.startsWith('Tasks (continued)\nAnn Lee\n• task ')).toBe(true);
    expect(all.flatMap((text) => text.match(/task \d+ of/g) ?? [])).toHaveLength(120);
  });

  it('has the tasks beyond maxTasks', () => {
    const [first, second] = texts(digest, { maxTasks: 1 });
    expect(first).not.toContain('Write the minutes');
    expect(second).toBe('More tasks\nAnn Lee\n• Write the minutes\nNo owner\n• Book a room\n\nWeekly sync');
  });

  it('has the other sections, unless they are not wanted', () => {
    const more = { ...digest, sections: [{ title: 'Risks', text: parseText('Rain.') }] };
    expect(texts(more).slice(1)).toEqual(['Risks\nRain.\n\nWeekly sync']);
    expect(texts(more, { parts: ['outcome', 'summary', 'decisions', 'tasks'] })).toHaveLength(1);
  });

  it('ends after eight replies and says where the rest is', () => {
    const sections = [{ title: 'All', text: parseText(words(20_000, 'w')) }];
    const all = texts({ ...digest, sections }, { link });
    expect(all).toHaveLength(9);
    expect(all.at(-1)).toContain('The rest is in the report.');
    expect(all.at(-1)).toContain('Weekly sync · reply 8 of 8');
    expect(texts({ ...digest, isCut: true }, { link })[0]).toContain('This continues in the report.');
  });
});
