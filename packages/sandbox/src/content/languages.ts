/** The languages of the sample meetings: BCP 47 codes. `zh` is written in simplified characters. */
export const contentLanguages = ['en', 'de', 'fr', 'es', 'ru', 'zh', 'ja'] as const;

export type ContentLanguage = (typeof contentLanguages)[number];

/** The language of a code, in any case and with any region or script (`de-AT`, `zh_CN`); undefined when no meeting is held in it. */
export function findContentLanguage(code: string): ContentLanguage | undefined {
  const [language] = code.trim().toLowerCase().split(/[-_]/);
  return contentLanguages.find((known) => known === language);
}
