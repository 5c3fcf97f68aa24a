import { z } from 'zod';

import { contentLanguages, findContentLanguage } from '../../content/languages.ts';
import { formNumber } from '../control/form-fields.ts';

const language = z
  .string()
  .transform(findContentLanguage)
  .refine((found) => found !== undefined, { error: `must be one of ${contentLanguages.join(', ')}` });

const wholeNumber = (least: number, most: number) =>
  formNumber.refine((number) => Number.isInteger(number) && number >= least && number <= most, {
    error: `must be a whole number from ${String(least)} to ${String(most)}`,
  });

/** What to seed a sandbox with. */
export const seedSchema = z.strictObject({
  meetings: wholeNumber(1, 500).default(12),
  /** Codes, with or without a region; taken in turn. */
  languages: z
    .array(language, { error: 'must be a list of language codes' })
    .min(1, { error: 'must name a language; leave it out for all' })
    .max(100)
    .transform((codes) => [...new Set(codes)])
    .default([...contentLanguages]),
  /** The same seed brings the same meetings. */
  seed: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).default(1),
  /** Over how many days before the sandbox's now the meetings are spread. */
  days: wholeNumber(1, 365).default(30),
});

/** As the body of `POST /_sandbox/seed`, unchecked. */
export type SeedOptions = z.input<typeof seedSchema>;

export type SeedPlan = z.infer<typeof seedSchema>;
