import { templateSlugs } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import {
  contentLanguages,
  findContentLanguage,
  loadLanguage,
  loadSamples,
  type MeetingScript,
} from './load-content.ts';
import { chooseScript, findNextScript, findScript, isScript } from './scripts.ts';
import { formatClock, timeScript } from './time-script.ts';

const ids = [
  'launch-review',
  'warehouse-sync',
  ...contentLanguages.flatMap((language) =>
    Object.keys(loadLanguage(language).meetings).map((name) => `${language}/${name}`),
  ),
];

describe('the ids of meetings', () => {
  it('are known, and an unknown one means the first sample', () => {
    expect(ids.filter((id) => !isScript(id))).toEqual([]);
    for (const id of [
      '',
      'launch-review/0',
      'toString',
      'de/toString',
      'de/',
      'fr/retrospective',
      'long/0',
      'long/10001',
    ]) {
      expect([id, isScript(id)]).toEqual([id, false]);
      expect(findScript(id)).toBe(loadSamples()['launch-review']);
    }
  });

  it('follow each other in turn, also in a series', () => {
    expect([0, 1, 2].map((number) => chooseScript(number))).toEqual([
      'launch-review',
      'warehouse-sync',
      'launch-review',
    ]);
    expect([0, 2, 3].map((number) => chooseScript(number, 'de'))).toEqual([
      'de/retrospective',
      'de/product-review',
      'de/retrospective',
    ]);
    expect(['warehouse-sync', 'ja/sales-call', 'long/9'].map(findNextScript)).toEqual([
      'launch-review',
      'ja/project-sync',
      'launch-review',
    ]);
  });
});

it.each([
  ['de-AT', 'de'],
  ['JA_jp', 'ja'],
  [' ja ', 'ja'],
  ['fr', undefined],
  ['deutsch', undefined],
])('reads the code %j as %s', (code, language) => {
  expect(findContentLanguage(code)).toBe(language);
});

it('times words, and characters where there are none, and goes on past the hour in minutes', () => {
  const measure = (language: MeetingScript['language'], text: string): number => {
    const chapters = [{ name: 'x', note: 'x', lines: [{ speaker: 'x', text }] }];
    const [chapter] = timeScript({ ...findScript('launch-review'), language, chapters });
    return (chapter?.endSeconds ?? 0) - (chapter?.startSeconds ?? 0);
  };
  expect(measure('en', 'We meet again on Thursday for ten minutes.')).toBe(3);
  expect(measure('ja', '予算内に収まりそうですか？')).toBe(2);
  expect([0, 59, 3661, 54_321].map(formatClock)).toEqual(['00:00', '00:59', '61:01', '905:21']);
});

describe.each(ids)('the meeting %s', (id) => {
  const script = findScript(id);
  const lines = timeScript(script).flatMap((chapter) => chapter.lines);
  const speakers = new Set(lines.map(({ speaker }) => speaker));

  it('is whole: people, chapters, a summary, decisions and tasks that fit each other', () => {
    expect(speakers.size).toBeGreaterThanOrEqual(2);
    expect(script.chapters.length).toBeGreaterThanOrEqual(3);
    expect(script.summary.split('\n\n').length).toBeGreaterThanOrEqual(3);
    expect(script.decisions.length).toBeGreaterThanOrEqual(2);
    expect(script.tasks.length).toBeGreaterThanOrEqual(2);
    expect(new Set(script.speakerNotes.map(({ speaker }) => speaker))).toEqual(speakers);
    expect(new Set(script.participants.map(({ name }) => name))).toEqual(speakers);
    for (const { assignee, dueInDays = 0, chapter } of script.tasks) {
      expect(speakers).toContain(assignee);
      expect(dueInDays).toBeGreaterThanOrEqual(0);
      expect(script.chapters[chapter]).toBeDefined();
    }
    expect(templateSlugs.map(({ slug }) => slug)).toContain(script.templateName ?? 'default-meeting');
  });

  it('has no text that is empty, padded or unfinished', () => {
    const texts = JSON.stringify(script).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(texts.filter((text) => /^"(?:\s|"$)|\s"$|[{}]| {2}|undefined/.test(text))).toEqual([]);
    expect(lines.filter(({ text }) => !/[.?!。？！]$/.test(text))).toEqual([]);
  });

  it('is timed without a gap or an overlap', () => {
    expect(lines.map(({ startSeconds }) => startSeconds)).toEqual([
      4,
      ...lines.slice(0, -1).map(({ endSeconds }) => endSeconds + 1),
    ]);
  });

  it('sums up with the numbers that were said', () => {
    // The samples say their numbers in words.
    if (script.templateName === undefined) return;
    const spoken = lines.map(({ text }) => text).join('\n');
    const told = [script.summary, ...script.decisions, ...script.chapters.map(({ note }) => note)].join('\n');
    const numbers = told.match(/\d[\d.,\u00A0]*\d/g) ?? [];
    expect(numbers.filter((number) => !spoken.includes(number))).toEqual([]);
  });
});
