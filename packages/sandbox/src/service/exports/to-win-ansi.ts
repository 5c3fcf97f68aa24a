/** The characters of WinAnsi (Windows-1252) outside of Latin-1. */
const beyondLatin1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/** Text that a standard font of PDF can show: every other character becomes `?`. */
export function toWinAnsi(text: string): string {
  return Array.from(text.normalize('NFC'), (character) =>
    /^[ -~\u00a0-\u00ff]$/.test(character) || beyondLatin1.has(character) ? character : '?',
  ).join('');
}
