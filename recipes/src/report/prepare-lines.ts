/**
 * Lines that Markdown would take for something else than a person does, rewritten before they are parsed. A comparison at the
 * begin of a line is no quotation, a sum is no bullet, and bullets of other scripts are bullets. Pure; takes linear time.
 */
export function prepareLines(text: string): string {
  if (!suspicious.test(text) || !doubtful.test(text)) return text;
  const lines = text.split('\n');
  const hasDashes = lines.filter((line) => /^\s{0,20}[–—]\s/.test(line)).length > 1;
  // `– 5 %` beside `+ 2 %` is no bullet.
  const hasSums = lines.some((line) => /^\s{0,20}\+\s{0,9}\d/.test(line));
  let fence = '';
  return lines
    .map((line) => {
      const mark = /^[ >\t]{0,20}(```|~~~)/.exec(line)?.[1] ?? '';
      if (fence !== '' || mark !== '') {
        fence = fence === '' ? mark : fence === mark ? '' : fence;
        return line;
      }
      return keepSigns(writeBullet(line, hasDashes, hasSums));
    })
    .join('\n');
}

/** Turns the placeholders back. */
export function restoreSigns(text: string): string {
  return text.replaceAll(placeholderPattern, (sign) => signOf.get(sign) ?? '');
}

/** Whether a text holds a placeholder. */
export function hasPlaceholders(text: string): boolean {
  return text.includes(placeholders['>']) || text.includes(placeholders['+']);
}

/** Noncharacters of Unicode, which text that was cleaned does not hold. */
const placeholders = { '>': '\uFDD0', '+': '\uFDD1' } as const;
const placeholderPattern = /[\uFDD0\uFDD1]/g;
const signOf: ReadonlyMap<string, string> = new Map(
  Object.entries(placeholders).map(([sign, kept]) => [kept, sign]),
);

/** What a sign stands before: digits of any script, a fraction, a currency. */
const amount = String.raw`(?:\s{0,9}=)?\s{0,9}[-−+±~≈]?\s?(?:[.,]?[\p{Nd}\p{No}]|\p{Sc}|[A-Z]{3}\s?\p{Nd})`;
const signed = new RegExp(`^(>{1,2}|\\+)${amount}`, 'u');

/** Most texts have none of these signs and cost this one test. */
const suspicious = /[\u3000•・●○◦▪‣–—>+]/;
const doubtful = new RegExp(String.raw`^[ \t\u3000]*[\u3000•・●○◦▪‣–—]|[>+]${amount}`, 'mu');

/** The list and quotation marks at the begin of a line. */
const MAX_MARKS = 8;

/** Replaces `>` and `+` that stand before a number or a currency by placeholders. */
function keepSigns(line: string): string {
  let at = skipBlanks(line, 0);
  for (let marks = 0; marks < MAX_MARKS; marks += 1) {
    const rest = line.slice(at, at + 40);
    const sign = signed.exec(rest)?.[1];
    if (sign !== undefined) {
      const kept = placeholders[sign === '+' ? '+' : '>'].repeat(sign.length);
      return line.slice(0, at) + kept + line.slice(at + sign.length);
    }
    const mark = /^(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s))/.exec(rest)?.[0];
    if (mark === undefined) return line;
    at = skipBlanks(line, at + mark.length);
  }
  return line;
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t') at += 1;
  return at;
}

/** Writes a bullet of another script as `-`, and its indent as blanks. Dashes are bullets where there are several. */
function writeBullet(line: string, hasDashes: boolean, hasSums: boolean): string {
  const [begin = '', blanks = '', bullet = ''] =
    /^([ \t\u3000]{0,40})([•・●○◦▪‣](?=[^\s])|[•・●○◦▪‣]\s{1,4}|[–—]\s{1,4}|)/u.exec(line) ?? [];
  const rest = line.slice(begin.length);
  const isDash = /^[–—]/.test(bullet);
  const isMinus = isDash && (!hasDashes || (hasSums && /^\d/.test(rest)));
  const indent = blanks.replaceAll('\u3000', '  ');
  return bullet !== '' && rest !== '' && !isMinus ? `${indent}- ${rest}` : indent + bullet + rest;
}
