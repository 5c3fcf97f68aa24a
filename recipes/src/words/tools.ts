/** Writes a number with its noun in the plural that the language has for it; `#` stands for the number. */
export function createCounter(locale: string, one: string, other: string): (amount: number) => string {
  const rules = new Intl.PluralRules(locale);
  return (amount) => (rules.select(amount) === 'one' ? one : other).replace('#', String(amount));
}

/** Writes a day and a time as the language does, `joint` between them. */
export function createWhen(locale: string, joint: string, month: 'short' | 'long' = 'short') {
  return (at: Date, timeZone: string): string => {
    const day = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month });
    const time = new Intl.DateTimeFormat(locale, {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    return `${day.format(at)}${joint}${time.format(at)}`;
  };
}

/** Writes `2026-07-10` as the language does. */
export function createDay(locale: string): (date: string) => string {
  return (date) => {
    const at = new Date(`${date}T00:00:00Z`);
    if (Number.isNaN(at.getTime())) return date;
    return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }).format(at);
  };
}
