// oxlint-disable-next-line no-control-regex -- removing control characters is what this is for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Embeddings, overrides and isolates (Unicode UAX #9): an open one reverses all text after it. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;

/** With the `u` flag only an unpaired surrogate matches. */
const loneSurrogates = /\p{Surrogate}/gu;

/** Tags (Unicode 23.9), which are invisible but read by machines, and noncharacters, which stand for signs here. */
const invisible = /[\u{E0000}-\u{E007F}\uFDD0-\uFDEF]/gu;

const lineEnds = /\r\n?|\u2028|\u2029/g;

/** Matches text that may need cleaning. Nearly all text is clean and costs this one test. */
const doubtful =
  // oxlint-disable-next-line no-control-regex -- as above
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef]/;

const doubtfulLine =
  // oxlint-disable-next-line no-control-regex -- as above
  /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef]|[^\S ]| {2}|^ | $/;

/** Makes text acceptable to all vendors: well-formed Unicode, `\n` line ends, no control characters but tab, no bidi controls, no tags. */
export function cleanText(text: string): string {
  if (!doubtful.test(text)) return text;
  return text
    .replace(lineEnds, '\n')
    .replace(controls, '')
    .replace(bidiControls, '')
    .replace(invisible, '')
    .replace(loneSurrogates, '\uFFFD');
}

/** The same on one line, so that a title or a name cannot add a line (or a mail header). */
export function cleanLine(text: string): string {
  if (!doubtfulLine.test(text)) return text;
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** An id without what hides or turns a part of it; all else of an id stays. */
export function dropInvisible(id: string): string {
  return id.replace(bidiControls, '').replace(invisible, '');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const ellipsis = '…';

/** How far back a cut may move to end between words. */
const MAX_WORD_LENGTH = 40;

/**
 * Shortens text to `maxLength` UTF-16 units (the unit that vendors count): cut between graphemes, between words when one ends
 * nearby, with an ellipsis.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  if (maxLength < 1) return '';
  const kept = cutAtGrapheme(text, maxLength - ellipsis.length);
  const blank = kept.search(/\s\S*$/);
  const end = blank > 0 && kept.length - blank <= MAX_WORD_LENGTH ? blank : kept.length;
  return kept.slice(0, end).trimEnd() + ellipsis;
}

/** The longest prefix of at most `maxLength` units that ends between two graphemes. */
function cutAtGrapheme(text: string, maxLength: number): string {
  const reach = text.slice(0, maxLength + 32);
  const split = graphemes.segment(reach).containing(maxLength);
  const end = split === undefined ? maxLength : split.index;
  // A single grapheme can be longer than `maxLength`; then the cut is between code points.
  return end > 0 ? text.slice(0, end) : text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
}

/** Splits text into pieces of at most `maxLength` units, between graphemes. */
export function splitText(text: string, maxLength: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > maxLength) {
    const piece = cutAtGrapheme(rest, maxLength);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}

/** `a`, `a or b`, `a, b or c`. */
export function joinOr(values: readonly string[]): string {
  const last = values.at(-1) ?? '';
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`;
}
