const minLength = 16;
const maxLength = 128;

// Secrets in examples, templates and defaults consist of these words.
const commonWords = [
  'admin aftermeet api change changeit changeme default demo dev development dummy enter env example fill foo bar',
  'here hook insecure insert is key letmein local master me meeting my new not open pass passphrase password',
  'placeholder please prod production put qwerty replace sample sandbox secret service set shared sign signing',
  'staging string super temp test testing the this todo token top unsafe value very webhook webhooks welcome your',
]
  .join(' ')
  .split(' ');
const onlyCommonWords = new RegExp(`^(?=.*[a-z])(?:${commonWords.join('|')}|[0-9])+$`);
const sequences = [
  '01234567890123456789',
  '0123456789abcdef',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
];

/**
 * Says in a few words why a secret must not be used, or nothing when it may. Never repeats the secret.
 * 16 to 128 characters is the length the service suggests (specification, Recording).
 */
export function describeWeakSecret(secret: string): string | undefined {
  if (secret === '') return 'is empty';
  if (/^\s|\s$/u.test(secret)) return 'begins or ends with white space';
  if (secret.length < minLength) return `is shorter than ${minLength} characters`;
  if (secret.length > maxLength) return `is longer than ${maxLength} characters`;
  if (/\p{Surrogate}/u.test(secret)) return 'holds half of a surrogate pair';
  if (isRepetition(secret)) return 'repeats a short piece';
  const letters = secret.toLowerCase().replace(/[\0-/:-@[-`{-\x7f]/g, '');
  // Few letters among much punctuation say nothing about the whole.
  if (letters.length * 2 < secret.length) return undefined;
  if (sequences.some((sequence) => sequence.includes(letters))) return 'is a well-known sequence';
  if (onlyCommonWords.test(letters)) return 'is made of common words and digits';
  return undefined;
}

/** True when the text is one piece of up to eight characters over and over, the last one perhaps cut. */
function isRepetition(text: string): boolean {
  for (let size = 1; size <= 8; size += 1) {
    if (text.slice(size) === text.slice(0, -size)) return true;
  }
  return false;
}
