import { isTimeZone } from '@aftermeet/contract';
import { z } from 'zod';

import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';

export type { Words } from './en.ts';

const catalogues: ReadonlyMap<string, Words> = new Map(
  [en, de, fr, es, pt, ja].map((words) => [words.locale, words]),
);

/** The fixed words for a BCP 47 tag: those of `de` for `de-AT`, English for a language without a catalogue. */
export function pickWords(language = ''): Words {
  return findWords(language) ?? en;
}

function findWords(language: string): Words | undefined {
  const [primary = ''] = language.toLowerCase().split('-');
  return catalogues.get(primary);
}

const languageWords = {
  error: `one of ${[...catalogues.keys()].join(', ')}, or with a region such as de-AT`,
};

export const languageSchema = z
  .string(languageWords)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/, languageWords)
  .refine((tag) => findWords(tag) !== undefined, languageWords);

const zoneWords = { error: 'a time zone such as Europe/Berlin' };

export const timezoneSchema = z.string(zoneWords).refine(isTimeZone, zoneWords);

/** The words and the zone of messages. */
export interface Look {
  readonly words: Words;
  /** IANA name. Absent: the meeting's own local time. */
  readonly timeZone?: string | undefined;
}

export const plainLook: Look = { words: en };

/** The fixed words that an installation can replace by its own. */
export const labelNames = [
  'summary',
  'decisions',
  'tasks',
  'moreTasks',
  'yourTasks',
  'openTasks',
  'fullNotes',
  'transcript',
  'openReport',
  'task',
  'owner',
  'dueTitle',
  'meeting',
  'meetingRecap',
  'meetingDigest',
] as const satisfies readonly (keyof Words)[];

type Labels = Readonly<Partial<Record<(typeof labelNames)[number], string>>>;

interface WrittenLook {
  readonly language?: string | undefined;
  readonly timezone?: string | undefined;
}

/** The look of a recipe: its own options, else those of the installation. */
export function chooseLook(
  recipe: WrittenLook & { readonly labels?: Labels | undefined },
  installation: WrittenLook,
): Look {
  const words = pickWords(recipe.language ?? installation.language);
  return {
    words: recipe.labels === undefined ? words : { ...words, ...recipe.labels },
    timeZone: recipe.timezone ?? installation.timezone,
  };
}
