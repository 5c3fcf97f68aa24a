import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { castPeople } from './cast-people.ts';
import { createChooser, shuffle } from './create-chooser.ts';
import { fillScene } from './fill-scene.ts';
import { fillSlots } from './fill-slots.ts';
import type { Scene } from './scene.ts';
import { nameWeekday } from './weekdays.ts';

describe('createChooser', () => {
  it('chooses the same in every release', () => {
    const choose = createChooser('de/retrospective/17');
    expect(Array.from({ length: 12 }, () => choose(10))).toEqual([0, 3, 2, 4, 7, 0, 5, 7, 9, 9, 5, 4]);
  });

  it('stays below the count', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 1000 }), (seed, count) => {
        const chosen = createChooser(seed)(count);
        expect(Number.isInteger(chosen) && chosen >= 0 && chosen < count).toBe(true);
      }),
    );
  });

  it('takes every choice about as often, also as the first one of seeds that follow one another', () => {
    const counts = [0, 0, 0, 0];
    for (let variant = 0; variant < 4000; variant += 1) {
      const chosen = createChooser(`de/retrospective/${String(variant)}`)(4);
      counts[chosen] = (counts[chosen] ?? 0) + 1;
    }
    expect(counts.every((count) => count > 900 && count < 1100)).toBe(true);
  });
});

it('shuffles without losing anything', () => {
  const items = [1, 2, 3, 4, 5, 6, 7, 8];
  const shuffled = shuffle(items, createChooser('x'));
  expect(shuffled).not.toEqual(items);
  expect(shuffled.toSorted((one, other) => one - other)).toEqual(items);
});

describe('fillSlots', () => {
  const chosen = {
    city: { name: 'Казань', in: 'в Казани' },
    product: 'Fieldnote',
    offer: '{product} {city.in}',
  };

  it('fills names, forms and slots within what fills them', () => {
    expect(fillSlots('{city}: {offer}, {product}', chosen)).toBe('Казань: Fieldnote в Казани, Fieldnote');
  });

  it.each(['{nobody}', '{city.of}', '{product.in}', '{toString}', '{city.toString}', '{__proto__}'])(
    'refuses %s, which nothing fills',
    (text) => {
      expect(() => fillSlots(text, chosen)).toThrow(RangeError);
    },
  );
});

describe('castPeople', () => {
  it('gives everybody names of their own, and the same ones in every scene', () => {
    const cast = castPeople('ru', { one: 'woman', two: 'man', three: 'woman' }, 'x');
    const names = Object.values(cast).map((person) => (typeof person === 'string' ? {} : person));
    for (const form of ['name', 'first', 'last', 'polite'])
      expect(new Set(names.map((person) => person[form])).size).toBe(3);
    expect(castPeople('ru', { three: 'woman', two: 'man' }, 'x')['three']).toEqual(cast['one']);
  });

  it('writes names in the order and the form of the language', () => {
    const cast = (language: 'de' | 'ja' | 'ru' | 'zh') => castPeople(language, { one: 'woman' }, 'x')['one'];
    expect([cast('de'), cast('ja'), cast('ru'), cast('zh')]).toEqual([
      { name: 'Carolin Ostermann', first: 'Carolin', last: 'Ostermann' },
      { name: '高橋 千尋', first: '千尋', last: '高橋' },
      { name: 'Дарья Тарасова', first: 'Дарья', last: 'Тарасова', polite: 'Дарья Сергеевна' },
      { name: '林佳颖', first: '佳颖', last: '林' },
    ]);
  });
});

describe('fillScene', () => {
  const scene: Scene = {
    title: 'T',
    templateName: 'daily',
    keywords: [],
    people: { one: 'man' },
    slots: {},
    weeks: [{ talk: 2 }],
    chapters: [{ name: 'C', lines: ['one: Ça va : oui ?'] }],
    summary: ['« Oui »'],
    decisions: ['11 520 €'],
    tasks: [{ text: 'X', owner: 'one', due: 'nobody', chapter: 0 }],
  };
  const seeds = { people: 'x', slots: 'x' };

  it('keeps French marks and numbers on the line of what they belong to', () => {
    const { chapters, summary, decisions } = fillScene('fr', { ...scene, tasks: [] }, seeds);
    expect([chapters[0]?.lines[0]?.text, summary, decisions]).toEqual([
      'Ça va\u00a0: oui\u00a0?',
      '«\u00a0Oui\u00a0»',
      ['11\u00a0520\u00a0€'],
    ]);
  });

  it('refuses a task that is due on a day nobody named', () => {
    expect(() => fillScene('fr', scene, seeds)).toThrow('no day nobody');
  });
});

it('names the days of this week and the next, and no weekend', () => {
  expect([1, 5, 8, 12].map((weekday) => nameWeekday('de', weekday))).toEqual([
    'Montag',
    'Freitag',
    'Montag',
    'Freitag',
  ]);
  expect(() => nameWeekday('de', 6)).toThrow(RangeError);
});
