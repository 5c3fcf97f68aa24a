/** Marks within a line, `_` only where it does not stand within a word. */
const marks = /[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu;

/** Text as Markdown that shows exactly this text, on one line. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(marks, (mark) => `\\${mark}`)
    .replace(/^(\d+)(?=[.)] )/, '$1\\')
    .replace(/^(?=[-+#>=])/, '\\');
}
