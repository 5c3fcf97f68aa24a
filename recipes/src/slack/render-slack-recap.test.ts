import type { Report } from '@aftermeet/client';
import { createSlackStandIn } from '@aftermeet/sandbox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildDigest, type Digest } from '../digest.ts';
import { hostileReport, sampleReport } from '../testing/sample-report.ts';
import { parseText } from '../text/parse-text.ts';
import { openClient } from './open-client.ts';
import { layOutSlackRecap, renderSlackRecap } from './render-slack-recap.ts';
import type { SlackBlock, SlackMessage } from './slack-message.ts';

const {
  startedLocal: _local,
  utcOffset: _offset,
  ...digest
}: Digest = { ...buildDigest(sampleReport), sections: [], tags: [] };
const link = 'https://app.example.com/m_1';

/** Every text of a message, with the kind of object that holds it. */
function listTexts(value: unknown): { readonly type: string; readonly text: string }[] {
  if (Array.isArray(value)) return value.flatMap(listTexts);
  if (typeof value !== 'object' || value === null) return [];
  const type = 'type' in value ? String(value.type) : '';
  const own = 'text' in value && typeof value.text === 'string' ? [{ type, text: value.text }] : [];
  return [...own, ...Object.values(value).flatMap(listTexts)];
}

function text(words: string): object {
  return { type: 'text', text: words };
}

function item(words: string): object {
  return { type: 'rich_text_section', elements: [text(words)] };
}

function bold(words: string): object {
  return { type: 'rich_text_section', elements: [{ ...text(words), style: { bold: true } }] };
}

function list(...items: string[]): object {
  return { type: 'rich_text_list', style: 'bullet', indent: 0, elements: items.map(item) };
}

function rich(...elements: object[]): object {
  return { type: 'rich_text', elements };
}

function manyWords(count: number, name: string): string {
  return Array.from({ length: count }, (_word, at) => `${name}${String(at)}`).join(' ');
}

describe('renderSlackRecap', () => {
  it('shows title, facts, summary, decisions and tasks by owner, and opens the report', () => {
    const message = renderSlackRecap({ ...digest, decisions: [parseText('Ship on *Friday*')] }, { link });
    expect(message.blocks).toEqual([
      { type: 'header', text: { type: 'plain_text', text: 'Weekly sync', emoji: false } },
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: '<!date^1783422000^{date_short_pretty} {time}|2026-07-07 11:00 UTC>' },
          { type: 'plain_text', text: '1 h 05 min · Ann Lee, Bob · zoom', emoji: false },
        ],
      },
      rich(
        bold('Summary'),
        {
          type: 'rich_text_section',
          elements: [text('We '), { ...text('agreed'), style: { bold: true } }, text(' on the plan.\n')],
        },
        list('budget <fixed>', 'start & end'),
      ),
      rich(bold('Decisions'), {
        type: 'rich_text_list',
        style: 'bullet',
        indent: 0,
        elements: [
          {
            type: 'rich_text_section',
            elements: [text('Ship on '), { ...text('Friday'), style: { italic: true } }],
          },
        ],
      }),
      rich(
        bold('Tasks'),
        bold('Ann Lee'),
        list('Send the offer (due 2026-07-10)', 'Write the minutes'),
        bold('No owner'),
        list('Book a room'),
      ),
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            text: { type: 'plain_text', text: 'Open the report', emoji: false },
            url: link,
            action_id: 'open_report',
            accessibility_label: 'Open the report of Weekly sync',
          },
        ],
      },
    ]);
    expect(layOutSlackRecap(digest, { link })).toHaveLength(1);
  });

  it('says all that it shows in words', () => {
    const message = renderSlackRecap({ ...digest, tags: ['sales', 'weekly'] }, { link });
    expect(message.text).toBe(
      [
        'Weekly sync',
        '',
        '2026-07-07 11:00 UTC · 1 h 05 min · Ann Lee, Bob · zoom · sales, weekly',
        '',
        'Summary',
        'We agreed on the plan.',
        '',
        '• budget &lt;fixed&gt;',
        '• start &amp; end',
        '',
        'Decisions',
        '• Ship on Friday',
        '',
        'Tasks',
        'Ann Lee',
        '• Send the offer (due 2026-07-10)',
        '• Write the minutes',
        'No owner',
        '• Book a room',
        '',
        `Open the report: ${link}`,
      ].join('\n'),
    );
  });

  it('names who owns a task, and says whose address it may look up for a mention', () => {
    const named = {
      ...digest,
      taskGroups: digest.taskGroups.map((group) =>
        group.owner === 'Ann Lee' ? { ...group, email: 'ann@example.com' } : group,
      ),
    };
    const message = renderSlackRecap(named);
    expect(message.mentions).toEqual([{ block: 4, element: 1, email: 'ann@example.com' }]);
    expect(JSON.stringify(message.blocks)).not.toContain('ann@example.com');
    expect(renderSlackRecap(named, { mention: false })).not.toHaveProperty('mentions');
  });

  it('shows the time of the meeting where Slack can not show that of the reader', () => {
    const local = { ...digest, startedLocal: '2026-07-07 14:00', utcOffset: '+03:00' };
    expect(renderSlackRecap(local).text).toContain('2026-07-07 14:00 (UTC+03:00) · 1 h 05 min');
    const hostile = { ...local, utcOffset: '><!channel>' };
    expect(JSON.stringify(renderSlackRecap(hostile).blocks)).not.toContain('<!channel>');
  });
});

describe('layOutSlackRecap', () => {
  it('goes on in the thread, in whole words, and loses nothing', () => {
    const summary = manyWords(1000, 'word');
    const messages = layOutSlackRecap({ ...digest, summary: parseText(summary) }, { link });
    expect(messages).toHaveLength(2);
    expect(messages[0].text).toContain('This continues in the thread.');
    const shown = messages.map(({ text: all }) => all).join(' ');
    expect(shown.match(/\bword\d+\b/g)).toEqual(summary.split(' '));
    expect(messages[1]?.text.startsWith('Summary (continued)\nword')).toBe(true);
  });

  it('repeats whose the tasks are that follow', () => {
    const tasks = Array.from({ length: 120 }, (_task, at) => ({
      text: `task ${String(at)} of many`,
      owner: 'Ann Lee',
    }));
    const messages = layOutSlackRecap({ ...buildDigest({ ...sampleReport, tasks }), sections: [] });
    expect(messages[1]?.text.startsWith('Tasks (continued)\nAnn Lee\n• task ')).toBe(true);
    expect(messages.flatMap(({ text: all }) => all.match(/task \d+ of/g) ?? [])).toHaveLength(120);
  });

  it('shows as many tasks as wanted, and the others in the thread', () => {
    const messages = layOutSlackRecap(digest, { maxTasks: 1 });
    expect(messages[0].text).not.toContain('Write the minutes');
    expect(messages[1]?.text).toBe(
      'More tasks\nAnn Lee\n• Write the minutes\nNo owner\n• Book a room\n\nWeekly sync',
    );
  });

  it('names what stands in the thread where nothing is cut', () => {
    const note = (titles: readonly string[], options = {}): string | undefined => {
      const sections = titles.map((title) => ({ title, text: parseText('Rain.') }));
      const [{ text: all }] = layOutSlackRecap({ ...digest, sections }, options);
      return all.split('\n').find((line) => line.includes('the thread'));
    };
    expect(note(['Open <questions>', 'Risks'])).toBe('In the thread: Open &lt;questions&gt;, Risks');
    expect(note(['Risks'], { maxTasks: 1 })).toBe('In the thread: More tasks, Risks');
    const long = note(['word '.repeat(25), 'Risks']);
    expect(long).toMatch(/^In the thread: (?:word ){18}word… and more$/);
    expect(note(Array.from({ length: 40 }, (_title, at) => `Section ${String(at)}`))).toBe(
      'In the thread: Section 0, Section 1, Section 2, Section 3, Section 4, Section 5, Section 6, Section 7, Section 8 and more',
    );
    expect(note([])).toBeUndefined();
  });

  it('says in words what was struck out', () => {
    const [{ text: all }] = layOutSlackRecap({ ...digest, summary: parseText('~~For **all**~~ For ten') });
    expect(all).toContain('~~For all~~ For ten');
  });

  it('puts the other sections into the thread, or leaves them', () => {
    const more = { ...digest, sections: [{ title: 'Risks', text: parseText('Rain.') }] };
    expect(
      layOutSlackRecap(more)
        .map(({ text: all }) => all)
        .slice(1),
    ).toEqual(['Risks\nRain.\n\nWeekly sync']);
    expect(layOutSlackRecap(more, { sections: 'none' })).toHaveLength(1);
  });

  it('ends after eight replies, and says where the rest is', () => {
    const sections = [{ title: 'All', text: parseText(manyWords(20_000, 'w')) }];
    const messages = layOutSlackRecap({ ...digest, sections }, { link });
    expect(messages).toHaveLength(9);
    expect(messages.at(-1)?.text).toContain('The rest is in the report.');
    expect(messages.at(-1)?.text).toContain('Weekly sync · reply 8 of 8');
    const cut = layOutSlackRecap({ ...digest, isCut: true }, { link });
    expect(cut[0].text).toContain('This continues in the report.');
  });

  it('keeps within every limit of Slack and mentions nobody, whatever the report holds', async () => {
    const standIn = createSlackStandIn();
    const { url } = await standIn.listen();
    const client = openClient({ token: 'xoxb-1', apiUrl: `${url}/api/`, channel: 'C0001' }, 10_000);
    const post = async ({ text: fallback, blocks }: SlackMessage): Promise<unknown> =>
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
      await client.chat.postMessage({ channel: 'C0001', text: fallback, blocks: [...blocks] });
    const layOut = (report: Report): readonly SlackMessage[] =>
      layOutSlackRecap(buildDigest(report), { link });
    fc.assert(
      fc.property(hostileReport, (report) => layOut(report).forEach(checkMessage)),
      { numRuns: 8 },
    );
    for (const report of fc.sample(hostileReport, { numRuns: 2, seed: 7 })) {
      for (const message of layOut(report)) await post(message);
    }
    await standIn.close();
  });
});

function checkMessage({ blocks, text: fallback }: SlackMessage): void {
  const texts = listTexts(blocks);
  expect(blocks.length).toBeLessThanOrEqual(50);
  expect(texts.reduce((sum, found) => sum + found.text.length, 0)).toBeLessThanOrEqual(9000);
  for (const found of texts) expect(found.text.length).toBeGreaterThan(0);
  expect(readHeader(blocks).length).toBeLessThanOrEqual(150);
  for (const found of texts.filter(({ type }) => type === 'mrkdwn')) {
    expect(found.text).toMatch(/^<!date\^\d+\^\{date_short_pretty\} \{time\}\|[-+\d: UTC()]+>$/);
  }
  expect(fallback.length).toBeLessThanOrEqual(20_000);
  expect(fallback).not.toMatch(/[<>]/);
  expect(JSON.stringify(blocks)).not.toMatch(/"type":"(user|broadcast|usergroup|channel)"/);
  expect(() => encodeURIComponent(JSON.stringify(blocks) + fallback)).not.toThrow();
}

function readHeader(blocks: readonly SlackBlock[]): string {
  const header = blocks.find((block) => block.type === 'header');
  return header?.text.text ?? '';
}
