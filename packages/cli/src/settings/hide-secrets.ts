/** What an error says of a number where a text belongs: YAML reads a secret of digits as one, and rounds it. */
export const UNQUOTED_NUMBER = 'a number; put quotes around it';

/** Names of settings whose values can be secret, or the addresses and names of people. */
const secretName = /auth|body|dkim|headers?$|key|link|password|people|secret|token|ur[il]$/i;

/** Texts that can be secret wherever they stand: addresses of mail and of the web, and long words. */
const longWord = /@|:\/\/|[\w+/=~.-]{20}/;

/** Tokens whose first letters say what they are. */
const namedToken =
  /(?<![A-Za-z0-9])(?:(?:xox[a-z]-|xapp-|whsec_|ntn_|github_pat_|gh[a-z]_|glpat-|AKIA)[\w+/=~.-]{4,}|(?:secret_|[sprk]k[-_])(?=[\w+/=~.-]*\d)[\w+/=~.-]{6,})/g;

/** An address with a login. Its password may hold any sign, so nothing after the scheme is sure. */
const login = /([a-z][a-z0-9+.-]*:\/\/)[^\s"]*@[^\s"]*/gi;

const longRun = /[A-Za-z0-9+/=_~-]{16,}/g;

/** Whether a value can be quoted in an error, by the names on the way to it and by what it is. */
export function canQuote(path: readonly (string | number)[], value: string): boolean {
  return !isSecretPlace(path) && !longWord.test(value) && hideSecrets(value) === value;
}

/** Whether what stands there can be secret, whatever it is. */
export function isSecretPlace(path: readonly (string | number)[]): boolean {
  return path.some((part) => secretName.test(String(part)));
}

/**
 * The text with an ellipsis in place of what looks like a secret. Also for names of settings: somebody may have pasted a
 * token in place of one.
 */
export function hideSecrets(text: string): string {
  return text
    .replaceAll(login, '$1…')
    .replaceAll(namedToken, '…')
    .replaceAll(longRun, (run) => (run.split('/').some(isRandom) ? '…' : run));
}

/** A problem as it may be shown. */
export function hideInProblem<Problem extends { readonly setting: string; readonly found: string }>(
  problem: Problem,
): Problem {
  const { setting, found } = problem;
  return { ...problem, setting: hideSecrets(setting), found: hideSecrets(found) };
}

/** Whether a word has been drawn and not chosen: digits among letters, capitals among small letters, or many digits. */
function isRandom(word: string): boolean {
  if (word.length < 16) return false;
  const changes = word.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  const share = (letter: RegExp): number => (word.match(letter)?.length ?? 0) / word.length;
  // Names of several words, such as internalDomains, have a capital for each five letters or fewer.
  const isMixed = share(/[a-z]/g) >= 0.25 && share(/[A-Z]/g) >= 0.25;
  return changes >= 4 || isMixed || /\d{16}/.test(word);
}
