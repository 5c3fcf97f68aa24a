import { describe, expect, it } from 'vitest';

import type { BlockName } from './report-templates.ts';
import { findScript } from './scripts.ts';
import { timeScript } from './time-script.ts';
import { writeBlock } from './write-block.ts';

function write(name: BlockName, scriptId: string): string {
  const script = findScript(scriptId);
  const source = { script, chapters: timeScript(script), startMs: Date.parse('2026-07-07T12:00:00Z') };
  return writeBlock(name, source) as string;
}

describe('a block', () => {
  it.each([
    [
      'en',
      'launch-review',
      '**Present:** Maya Lindqvist, Tom Okafor, Priya Raman\n\n- **Where the beta stands**',
    ],
    ['de', 'de/support-call/0', '**Anwesend:** '],
    [
      'ja',
      'ja/project-sync/0',
      '**出席者：** 山本 千尋、伊藤 拓也、小林 陽子、高橋 誠\n\n- **工事と予算** (00:04): いいですね。',
    ],
  ])('names the participants in %s', (_language, id, beginning) => {
    expect(write('protocol', id).slice(0, beginning.length)).toBe(beginning);
  });

  it.each([
    ['launch-review', '- **Maya Lindqvist** spoke 28% of the time'],
    ['de/retrospective/0', '- **Miriam Rademacher** hatte 32 % der Redezeit'],
  ])('shows the shares of %s in its language', (id, beginning) => {
    expect(write('sales_coach', id).slice(0, beginning.length)).toBe(beginning);
  });

  it.each([
    [
      'launch-review',
      '**And the other three?** Tom Okafor: Two are questions about permissions, so really a gap in our texts.',
    ],
    ['ja/project-sync/0', '**予算内に収まりそうですか？** 伊藤 拓也：はい、残りは400万円です。'],
  ])('finds questions and their answers in %s', (id, entry) => {
    expect(write('questions_and_answers', id)).toContain(entry);
  });

  it.each([
    [
      'launch-review',
      'Hello everybody,\n\nthank you for your time. In short:',
      'What we agreed:\n\n- Launch on Tuesday',
    ],
    ['ja/sales-call/0', '皆様\n\n本日はお時間をいただき', '決まったこと：\n\n- 二つの'],
  ])('greets and thanks in the language of %s', (id, beginning, agreed) => {
    const mail = write('follow_up_email', id);
    expect(mail.startsWith(beginning)).toBe(true);
    expect(mail).toContain(agreed);
  });
});

describe('the deadline of a task', () => {
  it.each([
    [{}, null],
    [{ dueInDays: 0 }, '2026-07-07'],
    [{ dueInDays: 14 }, '2026-07-21'],
    [{ dueInDays: 1, dueOnWeekday: 3 }, '2026-07-08'],
    [{ dueInDays: 1, dueOnWeekday: 2 }, '2026-07-14'],
    [{ dueInDays: 1, dueOnWeekday: 8 }, '2026-07-13'],
    [{ dueInDays: 1, dueOnWeekday: 12 }, '2026-07-17'],
  ])('of %j is %s after a Tuesday', (due, date) => {
    const script = findScript('launch-review');
    const tasks = [{ text: 'x', assignee: 'y', chapter: 0, ...due }];
    const startMs = Date.parse('2026-07-07T12:00:00Z');
    expect(
      writeBlock('tasks', { script: { ...script, tasks }, chapters: timeScript(script), startMs }),
    ).toEqual({
      actions: [{ text: 'x', assignee: 'y', deadline: date, timestamp: '00:04' }],
    });
  });
});
