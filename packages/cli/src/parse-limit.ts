import { parseWhole } from './parse-whole.ts';

const parseNumber = parseWhole('all, or a number', 1, 1_000_000);

/** How many to print at most; `all` has no end. */
export function parseLimit(text: string): number {
  return text === 'all' ? Number.POSITIVE_INFINITY : parseNumber(text);
}
