import { describe, expect, it } from 'vitest';

import { findScript } from './scripts.ts';
import { timeScript } from './time-script.ts';
import { writeBlock, type BlockName } from './write-block.ts';

const startMs = Date.parse('2026-07-07T12:00:00Z');

it.each<[BlockName, string, string]>([
  [
    'protocol',
    'launch-review',
    '**Present:** Maya Lindqvist, Tom Okafor, Priya Raman\n\nShared calendars leave',
  ],
  ['protocol', 'ja/project-sync', '**出席者：** '],
  [
    'questions_and_answers',
    'launch-review',
    '**Who writes the help page about permissions?** Tom, by Friday',
  ],
  ['follow_up_email', 'launch-review', 'Hello everybody,\n\nthank you for your time. In short:'],
  ['follow_up_email', 'ja/sales-call', '皆様\n\n本日はお時間をいただき'],
])('the block %s of %s is in its language', (name, id, words) => {
  const script = findScript(id);
  expect(writeBlock(name, { script, chapters: timeScript(script), startMs })).toContain(words);
});

describe('the deadline of a task', () => {
  it.each([
    [{}, null],
    [{ dueInDays: 14 }, '2026-07-21'],
    [{ dueInDays: 1, dueOnWeekday: 3 }, '2026-07-08'],
    [{ dueInDays: 1, dueOnWeekday: 2 }, '2026-07-14'],
    [{ dueInDays: 1, dueOnWeekday: 8 }, '2026-07-13'],
  ])('of %j is %s after a Tuesday', (due, date) => {
    const script = findScript('launch-review');
    const tasks = [{ text: 'x', assignee: 'y', chapter: 0, ...due }];
    expect(
      writeBlock('tasks', { script: { ...script, tasks }, chapters: timeScript(script), startMs }),
    ).toEqual({ actions: [{ text: 'x', assignee: 'y', deadline: date, timestamp: '00:04' }] });
  });
});
