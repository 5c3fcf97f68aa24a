import { stripVTControlCharacters } from 'node:util';

import stringWidth from 'string-width';

/**
 * Control characters except line feed and tab, and marks that change the writing direction: with either, foreign
 * text could rewrite what a terminal shows.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const harmful = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u206F]/g;

/** Marks that turn the writing direction, and tags (Unicode 23.9): a person does not see them, a machine reads them. */
const invisible = /[\u061C\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;

/** Line ends of other systems, and the characters that mean one. */
const lineEnds = /\r\n|[\u2028\u2029]/g;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Foreign text made safe for a terminal: no escape sequences, no control characters, `\n` as line end. */
export function cleanText(text: string): string {
  return removeInvisible(stripVTControlCharacters(text.replaceAll(lineEnds, '\n')).replaceAll(harmful, ''));
}

/** Text without what hides or turns a part of it. */
export function removeInvisible(text: string): string {
  return text.replaceAll(invisible, '');
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text.replaceAll(/\s+/g, ' ')).trim();
}

/** A word quoted for a shell, for a command line that is printed to be pasted. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same for a foreign word, which may hold anything. */
export function pasteWord(word: string): string {
  return quoteWord(cleanLine(word));
}

/** Cuts the text to `width` terminal cells; an ellipsis replaces what is cut off. */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let start = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    start += segment;
  }
  return width < 1 ? '' : `${start}…`;
}

/** Pads the text with blanks to `width` terminal cells. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
