import { stripVTControlCharacters } from 'node:util';

/**
 * All but line feeds and tabs, and the marks that turn the direction of writing: with either, a text from
 * somewhere else could rewrite what stands on a terminal.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const harmful = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u206F]/g;

/** Line ends of another system, and the characters that only mean one. */
const lineEnds = /\r\n|[\u2028\u2029]/g;

/** Text from somewhere else, fit for a terminal: no escape sequences, no control characters, and `\n` at line ends. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text.replaceAll(lineEnds, '\n')).replaceAll(harmful, '');
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text.replaceAll(/\s+/g, ' ')).trim();
}
