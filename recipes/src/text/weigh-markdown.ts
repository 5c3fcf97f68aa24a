/** What reading one text may cost, in points; see `weighMarkdown`. */
export const textPoints = 80_000;

const marks = /[*_~[\]`<&\\]/g;
const addresses = /@|www\.|:\/\//gi;
const cells = /\|/g;
const lineStarts = /^./gm;
/** Nothing in it that could be Markdown but empty lines between paragraphs. */
const special = /[*_~[\]`<>&\\#|@]|^[ \t]|^(?:[-+=]|\d{1,9}[.)])|  $|:\/\/|www\./im;
const containers = /^(?:[ \t]|>|[-*+](?=[ \t>])|\d{1,9}[.)](?=[ \t>]))+/gm;
const maxPrefix = 80;
const maxNested = 12;

/** Whether a text is nothing but paragraphs, so that it needs no reading. */
export function isPlain(markdown: string): boolean {
  return !special.test(markdown);
}

/**
 * What reading a stretch of Markdown costs at most, in points of some 2 µs: micromark takes about 200 µs to begin, 4 µs for a character,
 * 100 µs for a line that is a block of its own, 150 µs for an item of a list, 50 µs for an address and 20 µs for a mark;
 * and as marks are matched with each other, the square of their number (20,000 `a*` in a row: 6 s). Infinite where
 * quotes and lists are nested deeper than anybody writes: a line of 20,000 `> ` takes over 8 s and overflows the stack of
 * the parser.
 */
export function weighMarkdown(markdown: string): number {
  let nested = 0;
  for (const [prefix] of markdown.matchAll(containers)) {
    const depth = prefix.replaceAll(/[\s\d]/g, '').length;
    if (depth > maxNested || prefix.replaceAll('\t', '    ').length > maxPrefix) return Infinity;
    if (depth > 0) nested += 1;
  }
  const marked = countMatches(markdown, marks);
  return (
    100 +
    2 * markdown.length +
    50 * countMatches(markdown, lineStarts) +
    25 * nested +
    25 * countMatches(markdown, addresses) +
    10 * countMatches(markdown, cells) +
    6 * marked +
    (marked * marked) / 20
  );
}

function countMatches(text: string, pattern: RegExp): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) count += 1;
  return count;
}
