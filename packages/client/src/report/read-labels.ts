import { asEntries, asText, isFields, openText, readFirst } from './loose.ts';

const labelNames = ['name', 'text', 'keyword', 'tag', 'word', 'title', 'label'];

/** Words from a list of texts or objects, or from a comma-separated text; each once. */
export function readLabels(value: unknown, onDropped: () => void): readonly string[] {
  const labels = new Set<string>();
  const opened = openText(value);
  const entries =
    typeof opened === 'string' ? opened.split(',').filter((part) => part.trim() !== '') : opened;
  for (const entry of asEntries(entries)) {
    const label = isFields(entry) ? readFirst(entry, labelNames, asText) : asText(entry);
    if (label === undefined) onDropped();
    else labels.add(label.trim());
  }
  return [...labels];
}
