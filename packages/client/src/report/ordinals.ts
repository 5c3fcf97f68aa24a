/**
 * Whether a number with a dot before this text is an ordinal or a part of a date, and no number of a list: `15. Oktober`,
 * `3. Quartal`, `7. 10. 2026`. `rest` is what follows the dot and its blank.
 */
export function followsOrdinal(rest: string): boolean {
  const begin = rest.slice(0, MAX_WORD_LENGTH);
  if (/^\d{1,4}\.(?:\s|$)/.test(begin)) return true;
  const word = /^[\p{L}\p{M}]+/u.exec(begin)?.[0].toLowerCase();
  if (word === undefined) return false;
  months ??= listMonths();
  return months.has(word) || countedNouns.has(word);
}

const MAX_WORD_LENGTH = 40;

/** Languages that write a day as a number with a dot before the month, as BCP 47 codes. */
const dottedLanguages = 'de da nb nn fi is fo et lv cs sk pl hu sl hr bs sr-Latn sr mk tr sv nl'.split(' ');

let months: ReadonlySet<string> | undefined;

/** Names of months as they stand after a day, in full and short. English `May` and `March` begin sentences. */
function listMonths(): ReadonlySet<string> {
  const names = new Set(
    'january february april june july august september october november december'.split(' '),
  );
  for (const language of dottedLanguages) {
    // Short names of other languages are common words: Czech `led`, Croatian `tra`.
    for (const month of ['de', 'da', 'nb', 'nl', 'sv'].includes(language)
      ? (['long', 'short'] as const)
      : (['long'] as const)) {
      const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, timeZone: 'UTC' });
      for (let at = 0; at < 12; at += 1) {
        const part = format.formatToParts(Date.UTC(2026, at, 15)).find(({ type }) => type === 'month');
        const name = /^[\p{L}\p{M}]{3,}/u.exec(part?.value.toLowerCase() ?? '')?.[0];
        if (name !== undefined) names.add(name);
      }
    }
  }
  return names;
}

/** Nouns that are counted by ordinals: quarters, halves, floors, weeks, places. */
const countedNouns: ReadonlySet<string> = new Set(
  `quartal quartals quartale halbjahr trimester etage obergeschoss stockwerk kalenderwoche kw woche jahrhundert
   platz runde klasse lesung auflage liga advent
   kvartal kvartalet kvartals halvår halvåret uge uke vecka etasje etage plads plass
   kvartál čtvrtletí pololetí týden patro štvrťrok polrok týždeň poschodie
   negyedév félév kerület emelet hét osztály kör
   neljännes vuosineljännes kvartaali vuosipuolisko viikko kerros kvartalas ceturksnis pusgads
   četrtletje polletje tromjesečje kvartalu tjedan kat tydzień kwartał piętro
   çeyrek hafta dönem kat квартал kvartaal kwartaal`.split(/\s+/),
);
