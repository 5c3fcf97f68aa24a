/** The text without the marks at its end. In one pass: a pattern for this costs the square of its input. */
export function dropEnd(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
