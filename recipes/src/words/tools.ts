/** Writes a number with its noun in the plural that the language has for it; `#` stands for the number. */
export function createCounter(locale: string, one: string, other: string): (amount: number) => string {
  const rules = new Intl.PluralRules(locale);
  return (amount) => (rules.select(amount) === 'one' ? one : other).replace('#', String(amount));
}

/** Writes a day and a time as the language does, `joint` between them. */
export function createWhen(locale: string, joint: string, month: 'short' | 'long' = 'short') {
  const findFormats = keepByZone((timeZone) => ({
    day: new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month }),
    time: new Intl.DateTimeFormat(locale, {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
  }));
  return (at: Date, timeZone: string): string => {
    const { day, time } = findFormats(timeZone);
    return `${day.format(at)}${joint}${time.format(at)}`;
  };
}

/** Settings name few zones. */
const MAX_ZONES = 100;

/** Makes what a zone needs once: it takes longer than writing a date. */
export function keepByZone<Made>(make: (timeZone: string) => Made): (timeZone: string) => Made {
  const kept = new Map<string, Made>();
  return (timeZone) => {
    const made = kept.get(timeZone) ?? make(timeZone);
    if (kept.size < MAX_ZONES) kept.set(timeZone, made);
    return made;
  };
}

/** Writes `2026-07-10` as the language does. What is no such date stays: `2026` and `10 July` are read by `Date` alone. */
export function createDay(locale: string): (date: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  const write = (date: string): string => {
    const at = new Date(`${date}T00:00:00Z`);
    if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== date) return date;
    // Made once and when needed: it takes longer than writing a date.
    format ??= new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' });
    return format.format(at);
  };
  return keepLast(write);
}

const MAX_KEPT = 500;
const MAX_KEPT_LENGTH = 40;

/** Keeps what was made of the last texts: meetings of a week have few days among them. */
function keepLast(make: (text: string) => string): (text: string) => string {
  const kept = new Map<string, string>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    if (text.length > MAX_KEPT_LENGTH) return made;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(text, made);
    return made;
  };
}
