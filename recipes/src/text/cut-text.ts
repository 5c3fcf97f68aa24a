const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ellipsis = '…';
/** How far back a blank is looked for, so that a word is not cut in two. */
const wordReach = 40;

/**
 * The text in at most `maxLength` UTF-16 units (what the vendors count), cut between graphemes,
 * between words where one ends nearby, and marked with an ellipsis.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  if (maxLength < 1) return '';
  const kept = cutAtGrapheme(text, maxLength - ellipsis.length);
  const blank = kept.search(/\s\S*$/);
  const end = blank > 0 && kept.length - blank <= wordReach ? blank : kept.length;
  return kept.slice(0, end).trimEnd() + ellipsis;
}

/** The longest beginning of at most `maxLength` units that ends between two graphemes. */
function cutAtGrapheme(text: string, maxLength: number): string {
  const reach = text.slice(0, maxLength + 32);
  const split = graphemes.segment(reach).containing(maxLength);
  const end = split === undefined ? maxLength : split.index;
  // A single grapheme can be longer than the whole room; then a code point boundary has to do.
  return end > 0 ? text.slice(0, end) : text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
}

/** The text in pieces of at most `maxLength` units, none of which breaks a code point. */
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
