/** HTML without what its templates leave between tags and words: so that a test can say what it expects. */
export function tidyHtml(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' >', '>')
    .replaceAll(/\s?(<\/?(?:article|div|form|details|summary|ol|ul|li|p|h[1-3])\b[^>]*>)\s?/g, '$1')
    .trim();
}
