import { templateSlugs } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { findScript } from './find-script.ts';
import { contentLanguages } from './languages.ts';
import type { MeetingScript } from './meeting-script.ts';
import { listSceneNames } from './scenes/scene-table.ts';
import { timeScript } from './time-script.ts';

const variants = Array.from({ length: 12 }, (_, variant) => String(variant));
const groups: readonly (readonly [name: string, ids: readonly string[]])[] = [
  ['the hand-written ones', ['launch-review', 'warehouse-sync']],
  ['a long one', ['long/430/0']],
  ...contentLanguages.flatMap((language) =>
    listSceneNames(language).map(
      (name) => [`${language}/${name}`, variants.map((variant) => `${language}/${name}/${variant}`)] as const,
    ),
  ),
];

const listLines = ({ chapters }: MeetingScript) => chapters.flatMap(({ lines }) => lines);

const listSpoken = (script: MeetingScript): readonly string[] => listLines(script).map(({ text }) => text);

const listSpeakers = (script: MeetingScript): ReadonlySet<string> =>
  new Set(listLines(script).map(({ speaker }) => speaker));

const listTexts = (script: MeetingScript): readonly string[] => [
  script.name,
  ...script.keywords,
  ...script.chapters.map(({ name }) => name),
  ...listSpoken(script),
  ...listSpeakers(script),
  ...script.summary.split('\n\n'),
  ...script.decisions,
  ...script.tasks.flatMap(({ text, assignee }) => [text, assignee]),
];

describe.each(groups)('meetings of %s', (_name, ids) => {
  const scripts = ids.map((id) => findScript(id));

  it('have two speakers or more, chapters, a summary, decisions and tasks', () => {
    for (const script of scripts) {
      expect(listSpeakers(script).size).toBeGreaterThanOrEqual(2);
      expect(script.chapters.length).toBeGreaterThanOrEqual(3);
      expect(script.chapters.filter(({ lines }) => lines.length === 0)).toEqual([]);
      expect(script.keywords.length).toBeGreaterThanOrEqual(4);
      expect(script.summary.split('\n\n').length).toBeGreaterThanOrEqual(3);
      expect(script.decisions.length).toBeGreaterThanOrEqual(2);
      expect(script.tasks.length).toBeGreaterThanOrEqual(2);
    }
  });

  it('have no slot left open, no text that is empty or padded, and end what is said with a mark', () => {
    const isOdd = (text: string) => text === '' || text !== text.trim() || /[{}]| {2}|undefined/.test(text);
    expect(scripts.flatMap(listTexts).filter(isOdd)).toEqual([]);
    expect(scripts.flatMap(listSpoken).filter((text) => !/[.?!。？！]$/.test(text))).toEqual([]);
  });

  it('begin every sentence in upper case where the language has one', () => {
    const cased = scripts.filter(({ language }) => language !== 'zh' && language !== 'ja');
    const texts = cased.flatMap((script) => [...listSpoken(script), ...script.summary.split('\n\n')]);
    expect(texts.filter((text) => /(?:^|[.?!]\s+)[*¿¡„«"]*\p{Ll}/u.test(text))).toEqual([]);
  });

  it('give tasks to people who speak, in a chapter there is, for a day that comes', () => {
    for (const script of scripts) {
      const speakers = listSpeakers(script);
      for (const { assignee, dueInDays = 0, dueOnWeekday = 1, chapter } of script.tasks) {
        expect(speakers).toContain(assignee);
        expect(dueInDays).toBeGreaterThanOrEqual(0);
        expect([1, 2, 3, 4, 5, 8, 9, 10, 11, 12]).toContain(dueOnWeekday);
        expect(script.chapters[chapter]).toBeDefined();
      }
    }
  });

  it('summarize with the numbers that were said', () => {
    // The hand-written ones say their numbers in words.
    for (const script of scripts.filter(({ templateName }) => templateName !== undefined)) {
      const spoken = listSpoken(script).join('\n');
      const numbers = [script.summary, ...script.decisions].join('\n').match(/\d[\d.,\u00a0]*\d/g) ?? [];
      expect(numbers.filter((number) => !spoken.includes(number))).toEqual([]);
    }
  });

  it('have times that ascend without a gap or an overlap', () => {
    for (const script of scripts) {
      const lines = timeScript(script).flatMap((chapter) => chapter.lines);
      const starts = lines.map(({ startSeconds }) => startSeconds);
      expect(starts).toEqual([4, ...lines.slice(0, -1).map(({ endSeconds }) => endSeconds + 1)]);
      expect(lines.filter(({ startSeconds, endSeconds }) => endSeconds <= startSeconds)).toEqual([]);
    }
  });

  it('suit a template, and have a question that is answered', () => {
    const slugs = templateSlugs.map(({ slug }) => slug);
    for (const script of scripts) {
      expect(slugs).toContain(script.templateName ?? 'default-meeting');
      expect(
        listSpoken(script)
          .slice(0, -1)
          .filter((text) => /[?？]$/.test(text)),
      ).not.toEqual([]);
    }
  });
});

it('has a title in its own language', () => {
  const titles = contentLanguages.map((language) => [
    language,
    ...listSceneNames(language).map((name) => findScript(`${language}/${name}/0`).name),
  ]);
  expect(titles).toEqual([
    [
      'en',
      'Roundsheet for Castell Facilities: demo and offer',
      'Retrospective: sprint 31',
      'Interview: Site reliability engineer',
      'Planning the third quarter',
    ],
    [
      'de',
      'Retrospektive Sprint 19',
      'Support: Kartenlesegerät in Augsburg',
      'Freigabe: Terminbuchung ohne Konto',
    ],
    [
      'fr',
      'Planéo pour Résidences Belleval\u00a0: démonstration et offre',
      'Entretien\u00a0: chef de projet',
    ],
    ['es', 'Soporte: reservas duplicadas en el Hotel Tres Olivos', 'Clase 4: El precio de esperar'],
    [
      'ru',
      'Открытие магазина в Казани: статус',
      'Приём: головная боль',
      'Лекция 5. Почему мост поёт на ветру',
    ],
    ['zh', '免登录预约上线评审', '面试：后端工程师'],
    ['ja', '広島店開店準備 定例会議', '北浜運輸様 シフトノートのご提案'],
  ]);
});
