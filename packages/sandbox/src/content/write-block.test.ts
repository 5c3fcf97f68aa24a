import { templateSlugs } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { contentLanguages, loadLanguage } from './load-content.ts';
import { findReportTemplate, type BlockName } from './report-templates.ts';
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
      '**Present:** Maya Lindqvist, Tom Okafor, Priya Raman\n\nShared calendars leave the beta **next Tuesday**',
    ],
    ['de', 'de/support-call/0', '**Anwesend:** '],
    [
      'ja',
      'ja/project-sync/0',
      '**出席者：** 山本 千尋、伊藤 拓也、小林 陽子、高橋 誠\n\n**閉店した店の棚を一部使うことに決定。**',
    ],
  ])('names the participants in %s', (_language, id, beginning) => {
    expect(write('protocol', id).slice(0, beginning.length)).toBe(beginning);
  });

  it.each([
    ['launch-review', '- **Maya Lindqvist** spoke 28% of the time. Wanted a clear yes or no'],
    ['de/retrospective/0', '- **Miriam Rademacher** hatte 32 % der Redezeit. Nimmt die verschobenen'],
  ])('shows the shares of %s in its language', (id, beginning) => {
    expect(write('sales_coach', id).slice(0, beginning.length)).toBe(beginning);
  });

  it.each([
    ['launch-review', '**Who writes the help page about permissions?** Tom, by Friday'],
    ['ja/project-sync/0', '**予算内に収まりそうか？** 収まる見込み。残りは400万円。'],
  ])('lists questions and their answers in %s', (id, entry) => {
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

describe('every summary of every sample meeting', () => {
  const ids = [
    'launch-review',
    'warehouse-sync',
    'long/430/0',
    ...contentLanguages.flatMap((language) =>
      Object.keys(loadLanguage(language).scenes).map((name) => `${language}/${name}/0`),
    ),
  ];
  const texts = ids.flatMap((id) =>
    templateSlugs.flatMap(({ slug }) =>
      (findReportTemplate(slug)?.blocks ?? [])
        .filter((name) => name !== 'tasks' && name !== 'decisions')
        .map((name) => ({ id, slug, name, text: write(name, id) })),
    ),
  );

  it('says something: more than 60 characters', () => {
    expect(texts.filter(({ text }) => text.length <= 60)).toEqual([]);
  });

  it('has no note of one word, such as "Good."', () => {
    const isOneWord = ({ text }: { text: string }) => /(?:^- |\): )\**\p{L}{1,8}[.!?]?\**$/mu.test(text);
    expect(texts.filter(isOneWord)).toEqual([]);
    expect(isOneWord({ text: '- **Rollout and texts** (01:46): **Good.**' })).toBe(true);
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
