import { cleanLine } from './clean-text.ts';

/** One line a fact, with the names in a column; a fact without a value is left out. */
export function formatFacts(facts: Readonly<Record<string, string | number | undefined>>): string {
  const present = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${name.padEnd(width)}  ${cleanLine(String(value))}\n`).join('');
}
