/** The regular expression of title patterns, of which one must fit: `*` is any text, `?` one character. */
export function globPattern(patterns: readonly string[]): RegExp {
  return new RegExp(`^(?:${patterns.map(translate).join('|')})$`, 'isu');
}

/** The regular expression of words, of which one must be the text. */
export function wordPattern(words: readonly string[]): RegExp {
  return new RegExp(`^(?:${words.map(escape).join('|')})$`, 'u');
}

function translate(pattern: string): string {
  return escape(pattern.replace(/\*+/g, '*')).replaceAll('\\*', '.*').replaceAll('\\?', '.');
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
