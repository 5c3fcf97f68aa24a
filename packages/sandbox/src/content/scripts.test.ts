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
  const chapters = [{ name: 'x', note: 'x', lines: [{ speaker: 'x', text }] }];
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

/** Hashes of the variants 0, 1 and 17 of each scene, and of the other meetings. */
const frozen: Readonly<Record<string, readonly string[]>> = {
  'launch-review': ['66fb2cd9e4e66ca6'],
  'warehouse-sync': ['3eaf0b1a855ef24d'],
  'long/430/0': ['46594413112fbf01'],
  'en/sales-call': ['06b656b62a253580', '155d7904d45d9f2e', '4eda4700ccd36df9'],
  'en/retrospective': ['5b41843a09b8aa01', '0053efcb86455f14', '38f3baa92404cd8a'],
  'en/hiring-interview': ['dc7fa4f8b48b70d3', 'aca096261eec4fcb', '989b8a31dea77d9e'],
  'en/quarterly-planning': ['2b13b1e9b190a09f', '07d3957299c20740', '382c5caa2bbe8430'],
  'de/retrospective': ['d4a3ad1175fab85e', 'dbf28b243c87d709', '517553b133cdd71c'],
  'de/support-call': ['934dcfa9e7e02872', 'dfa29a7e7fdd1912', '83459013e00bb8e9'],
  'de/product-review': ['62fcf09a06a31747', 'b0ab1bf65287b4cc', '3326ebe779e7447a'],
  'ja/project-sync': ['fc29da1752a22262', '9395554c6f1c6524', 'f430c1097f1caf72'],
  'ja/sales-call': ['5ef8b8d70e6a26c9', '4cf084fd3f2aa64c', 'a6ce634385d82c68'],
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

const listNotes = ({ chapters, speakerNotes, questions }: MeetingScript): readonly string[] => [
  ...chapters.map(({ note }) => note),
  ...speakerNotes.map(({ text }) => text),
  ...questions.flatMap(({ question, answer }) => [question, answer]),
];

const listTexts = (script: MeetingScript): readonly string[] => [
  script.name,
  ...script.keywords,
  ...script.chapters.map(({ name }) => name),
  ...listNotes(script),
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
    const texts = cased.flatMap((script) => [
      ...listSpoken(script),
      ...script.summary.split('\n\n'),
      ...listNotes(script),
    ]);
    expect(texts.filter((text) => /(?:^|[.?!]\s+)[*¿¡„«"]*\p{Ll}/u.test(text))).toEqual([]);
  });

  it('have a note about every chapter and every speaker, and participants by the names of the speakers', () => {
    for (const script of scripts) {
      expect(script.chapters.filter(({ note }) => note.length <= 30)).toEqual([]);
      expect(script.chapters.map(({ note }) => note).join(' ').length).toBeGreaterThan(60);
      expect(new Set(script.speakerNotes.map(({ speaker }) => speaker))).toEqual(listSpeakers(script));
      expect(new Set(script.participants.map(({ name }) => name))).toEqual(listSpeakers(script));
      const addresses = script.participants.flatMap(({ email }) => email ?? []);
      expect(addresses.filter((email) => !/^[a-z.]+@(?:example\.com|partner\.example)$/.test(email))).toEqual(
        [],
      );
      expect(new Set(addresses).size).toBe(addresses.length);
    }
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
      const numbers =
        [script.summary, ...script.decisions, ...listNotes(script)].join('\n').match(/\d[\d.,\u00a0]*\d/g) ??
        [];
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
