/** The beginning of a text that may be as long as a request; `most` characters at most, none of them cut in half. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
