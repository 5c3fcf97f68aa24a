import { unwrapText } from './unwrap-text.ts';

const HIDDEN = '[hidden]';

/** The user and password of an address. */
const userInfoPattern = /(\/\/)[^/?#\s@]{1,512}@/g;
/** What is longer would make a pattern too large for the engine: it is looked for in its own case alone. */
const MAX_PATTERN_LENGTH = 4096;
/** Of less than this a few letters in base64 would be hidden wherever they stand. */
const MIN_ENCODED_LENGTH = 8;

/**
 * The text without the given secrets and texts, in any case and in the spellings in which a service may echo
 * them (as they are, in an address, in JSON), and without the user and password of any address. Secrets are
 * also found in base64 and hex; where one stands in a spelling that only unwrapping shows, nothing of the text
 * is left.
 */
export function scrubText(text: string, secrets: readonly string[], texts: readonly string[] = []): string {
  let clean = text;
  for (const spelling of [...secrets, ...secrets.flatMap(encode), ...texts].flatMap(spell)) {
    clean = hide(clean, spelling);
  }
  const unwrapped = unwrapText(clean.replaceAll(HIDDEN, ' '));
  const bare = secrets.map(unwrapText).filter((secret) => secret !== '');
  if (bare.some((secret) => unwrapped.includes(secret))) return HIDDEN;
  return clean.replaceAll(userInfoPattern, `$1${HIDDEN}@`);
}

function hide(text: string, spelling: string): string {
  if (spelling.length > MAX_PATTERN_LENGTH) return text.replaceAll(spelling, HIDDEN);
  const literal = spelling.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(literal, 'giu'), HIDDEN);
}

function spell(text: string): readonly string[] {
  if (text === '') return [];
  const query = new URLSearchParams({ s: text }).toString().slice(2);
  return [...new Set([text, query, query.replaceAll('+', '%20'), JSON.stringify(text).slice(1, -1)])];
}

/** In hex, and in base64 wherever in the encoded bytes it may begin. */
function encode(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < MIN_ENCODED_LENGTH) return [];
  const shifted = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // Only the characters that no neighbour has a part in; each holds six bits.
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const safe = shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [bytes.toString('hex'), ...new Set([...shifted, ...safe])];
}
