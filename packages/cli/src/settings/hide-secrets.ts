/** What an error says of a number where a text belongs: YAML reads a secret of digits as one, and rounds it. */
export const UNQUOTED_NUMBER = 'a number; put quotes around it';

/** Names of settings whose values can be secret, or the addresses and names of people. */
const secretName = /auth|body(?!_bytes)|dkim|headers?$|key|link|password|people|secret|token|ur[il]$/i;

/** Texts that can be secret wherever they stand: addresses of mail and of the web, and words as long as a secret. */
const longWord = /@|:\/\/|[\w+/=~.-]{16}/;

/** Tokens whose first letters say what they are. */
const namedToken =
  /(?<![A-Za-z0-9])(?:(?:xox[a-z]-|xapp-|whsec_|ntn_|github_pat_|gh[a-z]_|glpat-|AKIA)[\w+/=~.-]{4,}|(?:secret_|[sprk]k[-_])(?=[\w+/=~.-]*\d)[\w+/=~.-]{6,})/g;

/** An address with a login. Its password may hold any sign, so nothing after the scheme is sure. */
const login = /([a-z][a-z0-9+.-]*:\/\/)[^\s"]*@[^\s"]*/gi;

const longRun = /[A-Za-z0-9+/_~-]{16,}/g;

/** How a path begins. A secret in Base64 may begin with a slash, too, but hardly with a word between two. */
const pathStart = /^\/[A-Za-z][a-z]+\//;

/** Whether a value can be quoted in an error, by the names on the way to it and by what it is. */
export function canQuote(path: readonly (string | number)[], value: string): boolean {
  return !isSecretPlace(path) && !longWord.test(value) && hideSecrets(value) === value;
}

/** Whether what stands there can be secret, whatever it is. */
export function isSecretPlace(path: readonly (string | number)[]): boolean {
  return path.some((part) => secretName.test(String(part)));
}

/**
 * The text with what looks like a secret cut to its first four characters, and to none in a login. Also for names of
 * settings: somebody may have pasted a token in place of one.
 */
export function hideSecrets(text: string): string {
  return text
    .replaceAll(login, '$1…')
    .replaceAll(namedToken, cut)
    .replaceAll(longRun, (run) =>
      pathStart.test(run) ? run.replaceAll(/[^/]{16,}/g, hideRandom) : hideRandom(run),
    );
}

/** A problem as it may be shown. */
export function hideInProblem<Problem extends { readonly setting: string; readonly found: string }>(
  problem: Problem,
): Problem {
  const { setting, found } = problem;
  return { ...problem, setting: hideSecrets(setting), found: hideSecrets(found) };
}

function hideRandom(word: string): string {
  return isRandom(word.replaceAll('/', '')) ? cut(word) : word;
}

/** Enough to find it by; what is secret of a token is longer. */
function cut(secret: string): string {
  return `${secret.slice(0, 4)}…`;
}

/** Whether a word has been drawn and not chosen: digits among letters, capitals among small letters, or many digits. */
function isRandom(word: string): boolean {
  const changes = word.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  const share = (letter: RegExp): number => (word.match(letter)?.length ?? 0) / word.length;
  // Names of several words, such as internalDomains, have fewer capitals, mostly.
  const isMixed = share(/[a-z]/g) >= 0.2 && share(/[A-Z]/g) >= 0.2;
  // No name has a plus, but media types have one.
  const isBase64 = word.includes('+') && /[A-Z]/.test(word);
  return changes >= 4 || isMixed || isBase64 || /\d{16}/.test(word);
}
