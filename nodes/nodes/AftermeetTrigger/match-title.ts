/** A title comes as it was sent, of any length. */
const mostCharacters = 500;

/**
 * Whether a title holds the text; with `*` (any text) or `?` (any one character) in it, whether the whole title fits it. Case
 * does not matter. Costs at most title times pattern. Pure.
 */
export function matchTitle(title: string, pattern: string): boolean {
  const letters = Array.from(title.slice(0, mostCharacters).toLowerCase());
  const wanted = pattern.trim().toLowerCase();
  const parts = (/[*?]/.test(wanted) ? wanted : `*${wanted}*`).split('*').map((part) => Array.from(part));
  const [first = [], ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return first.length === letters.length && fitsAt(letters, first, 0);
  if (first.length + last.length > letters.length || !fitsAt(letters, first, 0)) return false;
  const end = letters.length - last.length;
  let at = first.length;
  // Each part where it fits first leaves the most room for those behind it.
  for (const part of rest) {
    while (at + part.length <= end && !fitsAt(letters, part, at)) at += 1;
    if (at + part.length > end) return false;
    at += part.length;
  }
  return fitsAt(letters, last, end);
}

function fitsAt(letters: readonly string[], part: readonly string[], at: number): boolean {
  return part.every((mark, index) => mark === '?' || mark === letters[at + index]);
}
