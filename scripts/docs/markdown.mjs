// The little of Markdown that the generated pages need.

/** Text as it is, in a cell of a table too. */
export function escapeText(text) {
  return text.replaceAll(/[\\*_|<[\]]/g, String.raw`\$&`);
}

export function code(text) {
  return `\`${text}\``;
}

export function renderTable(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}
