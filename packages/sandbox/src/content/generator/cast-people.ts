import type { ContentLanguage } from '../languages.ts';
import { createChooser, shuffle } from './create-chooser.ts';
import { findNames } from './names.ts';
import type { Scene, SlotChoice } from './scene.ts';

const patronymics = {
  woman: ['Сергеевна', 'Андреевна', 'Викторовна', 'Николаевна', 'Игоревна', 'Павловна'],
  man: ['Сергеевич', 'Андреевич', 'Викторович', 'Николаевич', 'Игоревич', 'Павлович'],
};

/**
 * Gives every part of a scene a person; no two of them share a first or a family name. The same seed brings the same
 * people into every scene of a language.
 */
export function castPeople(
  language: ContentLanguage,
  people: Scene['people'],
  seed: string,
): Readonly<Record<string, SlotChoice>> {
  const choose = createChooser(`people of ${seed}`);
  const { women, men, families } = findNames(language);
  const firstNames = { woman: shuffle(women, choose), man: shuffle(men, choose) };
  const familyNames = shuffle(families, choose);
  const cast = { woman: 0, man: 0 };
  return Object.fromEntries(
    Object.entries(people).map(([part, sex]) => {
      const place = cast[sex];
      cast[sex] += 1;
      const person = {
        first: firstNames[sex][place] ?? '',
        // Women have the even ones, men the odd ones: the n-th of each is called the same in every scene.
        family: familyNames[2 * place + (sex === 'woman' ? 0 : 1)] ?? '',
        patronymic: patronymics[sex][place % patronymics[sex].length] ?? '',
        sex,
      };
      return [part, describePerson(language, person)];
    }),
  );
}

interface Person {
  readonly first: string;
  readonly family: string;
  readonly patronymic: string;
  readonly sex: 'man' | 'woman';
}

function describePerson(language: ContentLanguage, person: Person): SlotChoice {
  const { first, family, patronymic, sex } = person;
  switch (language) {
    case 'zh':
      return { name: family + first, first, last: family };
    case 'ja':
      return { name: `${family} ${first}`, first, last: family };
    case 'ru': {
      const last = sex === 'woman' ? `${family}а` : family;
      return { name: `${first} ${last}`, first, last, polite: `${first} ${patronymic}` };
    }
    case 'en':
    case 'de':
    case 'fr':
    case 'es':
      return { name: `${first} ${family}`, first, last: family };
    default:
      return language satisfies never;
  }
}
