/**
 * Values of `source`, as suggestions: the set is open. The specification shows the first two and says that
 * there are ten; the others are observed.
 */
export const platforms = [
  'gmeet',
  'zoom',
  'yandextelemost',
  'sberjazz',
  'trueconf',
  'konturtalk',
  'msteams',
  'jitsi',
  'mtslink',
  'lark',
] as const;

/** Observed other spellings of the same platforms. */
export const platformSpellings = { telemost: 'yandextelemost', teams: 'msteams' } as const;
