import { createHash } from 'node:crypto';

import { templateSlugs } from '@aftermeet/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  contentLanguages,
  findContentLanguage,
  loadLanguage,
  loadSamples,
  type ContentLanguage,
  type MeetingScript,
} from './load-content.ts';
import { chooseScript, findScript } from './scripts.ts';
import { formatClock, timeScript } from './time-script.ts';

const countSegments = (id: string): number => findScript(id).chapters.flatMap(({ lines }) => lines).length;

describe('findScript', () => {
  it('finds the hand-written meetings and variants of scenes', () => {
    expect(findScript('launch-review')).toBe(loadSamples()['launch-review']);
    expect(findScript('warehouse-sync')).toBe(loadSamples()['warehouse-sync']);
    expect(findScript('de/retrospective/17').name).toMatch(/^Retrospektive Sprint \d+$/);
  });

  it.each([
    '',
    'launch-review/0',
    'toString',
    '__proto__',
    'de/toString/0',
    'de/__proto__/0',
    'xx/retrospective/0',
    'DE/retrospective/0',
    'de-AT/retrospective/0',
    'fr/retrospective/0',
    'de/retrospective',
    'de/retrospective/',
    'de/retrospective/-1',
    'de/retrospective/01',
    'de/retrospective/1.5',
    'de/retrospective/1e3',
    'de/retrospective/9999999999',
    'de/retrospective/17\n',
    'long/0/1',
    'long/10001/1',
    'long/99999/1',
    'long/10',
    'x'.repeat(100_000),
  ])('takes the first hand-written meeting for %j', (id) => {
    expect(findScript(id)).toBe(loadSamples()['launch-review']);
  });

  it('never throws, for any id', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('de', 'long', 'lecture', '/', '7', '0', '-', ' ', 'я')),
        (parts) => {
          expect(findScript(parts.join('')).chapters.length).toBeGreaterThan(0);
        },
      ),
    );
  });

  it('makes the same meeting again after it was forgotten', () => {
    const first = findScript('de/support-call/3');
    expect(findScript('de/support-call/3')).toBe(first);
    for (let variant = 0; variant < 100; variant += 1) findScript(`ja/sales-call/${String(variant)}`);
    expect(findScript('de/support-call/3')).not.toBe(first);
    expect(findScript('de/support-call/3')).toEqual(first);
  });
});

describe('a long meeting', () => {
  it.each([1, 2, 430, 6000])('has %i segments', (segments) => {
    expect(countSegments(`long/${String(segments)}/1`)).toBe(segments);
  });

  it('lasts about an hour with 430 segments, among five people', () => {
    const chapters = timeScript(findScript('long/430/0'));
    expect(Math.round((chapters.at(-1)?.endSeconds ?? 0) / 60)).toBe(60);
    const speakers = new Set(chapters.flatMap(({ lines }) => lines.map(({ speaker }) => speaker)));
    expect(speakers.size).toBe(5);
  });

  it('says something else in every round and every variant', () => {
    const { chapters } = findScript('long/430/0');
    const texts = chapters.map(({ lines }) => lines.map(({ text }) => text).join(' '));
    expect(new Set(texts).size).toBeGreaterThan(texts.length / 2);
    expect(findScript('long/430/1')).not.toEqual(findScript('long/430/0'));
  });
});

describe('chooseScript', () => {
  it('takes the hand-written meetings in turn without a language', () => {
    expect([0, 1, 2].map((number) => chooseScript(number))).toEqual([
      'launch-review',
      'warehouse-sync',
      'launch-review',
    ]);
  });

  it('takes the scenes of a language in turn, then other variants', () => {
    expect([0, 1, 2, 3, 7].map((number) => chooseScript(number, 'de'))).toEqual([
      'de/retrospective/0',
      'de/support-call/0',
      'de/product-review/0',
      'de/retrospective/1',
      'de/support-call/2',
    ]);
  });

  it('brings ids that are known, of the language, and meetings that all differ', () => {
    for (const language of contentLanguages) {
      const scripts = Array.from({ length: 30 }, (_, number) => findScript(chooseScript(number, language)));
      expect(new Set(scripts.map((script) => JSON.stringify(script))).size).toBe(30);
      expect(scripts.every((script) => script.language === language)).toBe(true);
    }
  });
});

it.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['JA_jp', 'ja'],
  ['fr', undefined],
  [' ja ', 'ja'],
  ['xx', undefined],
  ['', undefined],
  ['deutsch', undefined],
])('reads the code %j as %s', (code, language) => {
  expect(findContentLanguage(code)).toBe(language);
});

const measure = (language: ContentLanguage, text: string): number => {
  const chapters = [{ name: 'x', lines: [{ speaker: 'x', text }] }];
  const [chapter] = timeScript({ ...findScript('launch-review'), language, chapters });
  return (chapter?.endSeconds ?? 0) - (chapter?.startSeconds ?? 0);
};

it('counts words, and characters where there are none', () => {
  expect(measure('en', 'We meet again on Thursday for ten minutes.')).toBe(3);
  expect(measure('ja', '予算内に収まりそうですか？')).toBe(2);
  expect(measure('ja', 'はい。')).toBe(1);
});

it('has the times of the hand-written meetings as they always were', () => {
  const times = timeScript(findScript('launch-review')).map(({ startSeconds, endSeconds }) => [
    startSeconds,
    endSeconds,
  ]);
  expect(times).toEqual([
    [4, 56],
    [57, 105],
    [106, 140],
  ]);
});

it('goes on past the hour in minutes', () => {
  expect([0, 59, 3661, 54_321].map(formatClock)).toEqual(['00:00', '00:59', '61:01', '905:21']);
});

const frozenVariants = [0, 1, 17];

/** Hashes of the frozenVariants 0, 1 and 17 of each scene, and of the meetings that are no frozenVariants. */
const frozen: Readonly<Record<string, readonly string[]>> = {
  'launch-review': ['a1cc07837c1c3ca2'],
  'warehouse-sync': ['6aa07f096755a4aa'],
  'long/430/0': ['55534998f348f374'],
  'en/sales-call': ['cd27adf306e81f62', 'f49bf4e965935144', 'f48520fcc3ae2a3c'],
  'en/retrospective': ['b09cd2c170c4c377', 'd8b1696a12a63a34', '3cfba8af91fcb482'],
  'en/hiring-interview': ['dd56b221b5f237e0', '4063d6bab3e52157', '4f25873faccf75c0'],
  'en/quarterly-planning': ['3ad4646d67459b1a', 'b1a4c0dfaef24826', '6e4a31f7c80585c1'],
  'de/retrospective': ['3201ac951ad6caf1', '4588fad43a08982e', '619c4b286f26c993'],
  'de/support-call': ['faba211492807c65', 'e7ba1c9666efca0b', '5659a8ec8e05c9d7'],
  'de/product-review': ['06d0c9f22250b719', '2cc5c6ff349db6c4', '41c82a8f9e69ca81'],
  'ja/project-sync': ['98f78be2b8be874d', 'fe891642f46e6e9b', '98d1b5462f6bcb26'],
  'ja/sales-call': ['76c17fdb1e4ccdac', 'cf0af8d31ef3902c', '479348459efbfc57'],
};

const why =
  'An id means the same meeting in every release: reports are compared with those of an earlier release, and a data ' +
  'folder keeps ids only. Add a scene or an id instead of changing what there is. Where a mistake must be mended, freeze ' +
  'the new hash here and note it in CHANGELOG.md.';

const hash = (id: string): string =>
  createHash('sha256')
    .update(JSON.stringify(findScript(id)))
    .digest('hex')
    .slice(0, 16);

it('has every scene frozen', () => {
  const scenes = contentLanguages.flatMap((language) =>
    Object.keys(loadLanguage(language).scenes).map((name) => `${language}/${name}`),
  );
  expect(Object.keys(frozen).filter((id) => /^[a-z]{2}\//.test(id))).toEqual(scenes);
});

it.each(Object.entries(frozen))('says the same in %s as in every release', (id, hashes) => {
  const ids = hashes.length === 1 ? [id] : frozenVariants.map((variant) => `${id}/${String(variant)}`);
  expect(ids.map(hash), why).toEqual(hashes);
});

const variants = Array.from({ length: 12 }, (_, variant) => String(variant));
const groups: readonly (readonly [name: string, ids: readonly string[]])[] = [
  ['the hand-written ones', ['launch-review', 'warehouse-sync']],
  ['a long one', ['long/430/0']],
  ...contentLanguages.flatMap((language) =>
    Object.keys(loadLanguage(language).scenes).map(
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
    const cased = scripts.filter(({ language }) => language !== 'ja');
    const texts = cased.flatMap((script) => [...listSpoken(script), ...script.summary.split('\n\n')]);
    expect(texts.filter((text) => /(?:^|[.?!]\s+)[*¿¡„«"]*\p{Ll}/u.test(text))).toEqual([]);
  });

  it('give tasks to speakers, in existing chapters, for days in the future', () => {
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
    ...Object.keys(loadLanguage(language).scenes).map((name) => findScript(`${language}/${name}/0`).name),
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
    ['ja', '広島店開店準備 定例会議', '北浜運輸様 シフトノートのご提案'],
  ]);
});
