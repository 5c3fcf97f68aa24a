/** An event's title comes as it was sent, of any length. */
const MAX_CHARACTERS = 500;

/**
 * Whether the first 500 characters of a title fit a pattern: `*` is any text, `?` any one character. Neither case
 * matters, nor whether a letter and its accent are one character or two (file names of macOS). Costs at most title × pattern steps, whatever the pattern.
 */
export function matchTitle(title: string, pattern: string): boolean {
  const letters = Array.from(title.slice(0, MAX_CHARACTERS).normalize('NFC').toLowerCase());
  const marks = Array.from(pattern.normalize('NFC').toLowerCase());
  let letter = 0;
  let mark = 0;
  let star = -1;
  let resumeAt = 0;
  while (letter < letters.length) {
    if (marks[mark] === '*') {
      star = mark;
      resumeAt = letter;
      mark += 1;
    } else if (mark < marks.length && (marks[mark] === '?' || marks[mark] === letters[letter])) {
      letter += 1;
      mark += 1;
    } else if (star >= 0) {
      // The last star takes one more character, and the rest of the pattern starts over behind it.
      resumeAt += 1;
      letter = resumeAt;
      mark = star + 1;
    } else return false;
  }
  return marks.slice(mark).every((rest) => rest === '*');
}
