import { cleanLine } from './terminal/clean-text.ts';

/** A word as a shell reads it, for a command line that somebody may paste. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same for a word of the service, which may hold anything. */
export function pasteWord(word: string): string {
  return quoteWord(cleanLine(word));
}
