import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { chooseScript } from './choose-script.ts';
import { findScript } from './find-script.ts';
import { contentLanguages, findContentLanguage } from './languages.ts';
import { launchReview } from './launch-review.ts';
import { timeScript } from './time-script.ts';
import { warehouseSync } from './warehouse-sync.ts';

const countSegments = (id: string): number => findScript(id).chapters.flatMap(({ lines }) => lines).length;

describe('findScript', () => {
  it('finds the hand-written meetings and variants of scenes', () => {
    expect(findScript('launch-review')).toBe(launchReview);
    expect(findScript('warehouse-sync')).toBe(warehouseSync);
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
    expect(findScript(id)).toBe(launchReview);
  });

  it('never throws, whatever the id', () => {
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
    const first = findScript('ru/lecture/3');
    expect(findScript('ru/lecture/3')).toBe(first);
    for (let variant = 0; variant < 100; variant += 1) findScript(`ja/sales-call/${String(variant)}`);
    expect(findScript('ru/lecture/3')).not.toBe(first);
    expect(findScript('ru/lecture/3')).toEqual(first);
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
    expect([0, 1, 2].map((number) => chooseScript({ number }))).toEqual([
      'launch-review',
      'warehouse-sync',
      'launch-review',
    ]);
  });

  it('takes the scenes of a language in turn, then other variants', () => {
    expect([0, 1, 2, 3, 7].map((number) => chooseScript({ language: 'de', number }))).toEqual([
      'de/retrospective/0',
      'de/support-call/0',
      'de/product-review/0',
      'de/retrospective/1',
      'de/support-call/2',
    ]);
  });

  it('brings ids that are known, of the language, and meetings that all differ', () => {
    for (const language of contentLanguages) {
      const scripts = Array.from({ length: 30 }, (_, number) =>
        findScript(chooseScript({ language, number })),
      );
      expect(new Set(scripts.map((script) => JSON.stringify(script))).size).toBe(30);
      expect(scripts.every((script) => script.language === language)).toBe(true);
    }
  });
});

it.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['ZH_cn', 'zh'],
  ['zh-Hans-CN', 'zh'],
  [' ja ', 'ja'],
  ['xx', undefined],
  ['', undefined],
  ['deutsch', undefined],
])('reads the code %j as %s', (code, language) => {
  expect(findContentLanguage(code)).toBe(language);
});
