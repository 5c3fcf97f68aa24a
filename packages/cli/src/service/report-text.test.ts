import { readReport, type Report } from '@aftermeet/client';
import { describe, expect, it } from 'vitest';

import { createPaint } from '../terminal/format.ts';
import {
  describeRest,
  findTemplates,
  formatReport,
  formatTemplate,
  formatTranscript,
  renderMarkdown,
} from './report-text.ts';

const terminal = { isTerminal: true, environment: {} };

const bare: Report = {
  meetingId: 'm_1',
  title: 'Untitled meeting',
  isTranscriptEmpty: true,
  participants: [],
  speakers: [],
  decisions: [],
  tasks: [],
  transcript: [],
  chapters: [],
  templates: [],
  keywords: [],
  tags: [],
  warnings: [],
  raw: undefined,
};

const full: Report = {
  ...bare,
  title: 'Weekly \u001B[31msync',
  startedAt: '2026-07-07T12:00:00.000Z',
  durationSeconds: 1920,
  source: 'gmeet',
  participants: [{ name: 'Anna', email: 'anna@example.com' }, { email: 'bo@example.com' }],
  speakers: [{ name: 'Anna', talkSeconds: 12 }, { name: 'Bo' }],
  summary: '## Sales\n\nUp by **4 %**.\r\n',
  decisions: ['Ship on Friday'],
  tasks: [{ text: 'Write the note', owner: 'Bo', due: 'Friday' }, { text: 'Book\na room' }],
  transcript: [
    { speaker: 'Anna', text: 'Hello.', startSeconds: 4.7 },
    { text: 'No name,\nno time.' },
    { speaker: 'Bo', text: 'Bye.', startSeconds: 3723 },
  ],
  templates: [{ id: 't_7', name: 'Team Sync', blocks: [{ name: 'summary', text: 'Up.' }] }],
  warnings: ['2 transcript entries could not be read'],
};

describe('formatReport', () => {
  it('shows time, people, summary, decisions and tasks', () => {
    expect(formatReport(full)).toBe(`# Weekly sync

2026-07-07 12:00 UTC, 32 min, gmeet, meeting m_1

## People

Anna <anna@example.com>, bo@example.com

## Summary

#### Sales

Up by **4 %**.

## Decisions

- Ship on Friday

## Tasks

- Write the note (Bo, due Friday)
- Book a room

## Could not be read

- 2 transcript entries could not be read
`);
  });

  it('names the speakers if there are no participants', () => {
    const text = formatReport({ ...full, participants: [] });
    expect(text).toContain('\n## People\n\nAnna, Bo\n');
  });

  it('leaves out empty sections', () => {
    expect(formatReport(bare)).toBe('# Untitled meeting\n\nmeeting m_1\n');
  });
});

it('formatTranscript is one line a turn', () => {
  expect(formatTranscript(full.transcript)).toBe(
    '[00:04] Anna: Hello.\nNo name, no time.\n[01:02:03] Bo: Bye.\n',
  );
});

const report = readReport('m_1', {
  followup_v2: {
    name: 'Weekly sync',
    templates: [
      { id: 't_1', name: 'Default Meeting', entities: [{ name: 'summary', text: 'First.' }] },
      { id: 't_2', name: 'sales-meeting', entities: [{ name: 'summary', text: 'Second.' }] },
      { id: 'sales-meeting', name: 'Odd', entities: [] },
      { name: 'odd', entities: [] },
    ],
  },
});

it.each([
  ['t_2', ['sales-meeting']],
  ['default-meeting', ['Default Meeting']],
  ['DEFAULT MEETING', ['Default Meeting']],
  // An id wins over a name.
  ['sales-meeting', ['Odd']],
  ['odd', ['Odd', 'odd']],
  ['team-sync', []],
])('findTemplates finds %s', (wanted, names) => {
  expect(findTemplates(report, wanted).map(({ name }) => name)).toEqual(names);
});

it('formatTemplate shows the id and each block with its name, for report edit', () => {
  const template = {
    id: 't_7',
    name: 'Sales\u001B[31m Meeting',
    blocks: [
      { name: 'sales_general', text: 'They want *it*.\n\nSoon.\u0007' },
      { name: 'tasks', text: '' },
    ],
  };
  expect(formatTemplate(template)).toBe(`# Sales Meeting

template id t_7

## sales_general

They want *it*.

Soon.

## tasks

(empty)
`);
});

it('renderMarkdown has bold headings and bullets on a terminal', async () => {
  const shown = await renderMarkdown('# Sync\n\n## Tasks\n\n- Write **now**\n- `x`\n', createPaint(terminal));
  expect(shown).toBe(
    '\u001B[1mSync\u001B[0m\n\n\u001B[1mTasks\u001B[0m\n\n• Write \u001B[1mnow\u001B[0m\n• \u001B[2mx\u001B[0m\n',
  );
});

it('describeRest names the commands for what else there is', () => {
  expect(describeRest(bare)).toBe('There is no transcript.\n');
  expect(describeRest(full)).toBe(
    'Transcript (3 turns): aftermeet report get m_1 --transcript\nAll its blocks: aftermeet report get m_1 --json\n',
  );
});
