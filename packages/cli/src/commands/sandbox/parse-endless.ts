import { parseWhole } from '../../parse-whole.ts';

const MOST = 999_999_999;

/** A number, or infinity for the word that means without an end. Not null: commander takes that for an option without a value. */
export function parseEndless(word: string, least: number): (text: string) => number {
  const parse = parseWhole(`${word}, or a number`, least, MOST);
  return (text) => (text === word ? Number.POSITIVE_INFINITY : parse(text));
}

/** As JSON has it: null means without an end. */
export function toNullable(value: number | undefined): number | null | undefined {
  return value === Number.POSITIVE_INFINITY ? null : value;
}
