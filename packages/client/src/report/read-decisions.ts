import type { Dropped } from './dropped.ts';
import { listEntries } from './list-entries.ts';
import { asText, isFields, readFirst } from './loose.ts';

const listNames = ['decisions', 'items', 'actions'];
const textNames = ['text', 'decision', 'title', 'name', 'description', 'content'];

/** Decisions from a Markdown list, a list of texts or objects, or an object with such a list. */
export function readDecisions(value: unknown, dropped: Dropped): readonly string[] {
  const decisions: string[] = [];
  for (const entry of listEntries(value, listNames, () => dropped.add('decisions'))) {
    const text = isFields(entry) ? readFirst(entry, textNames, asText) : asText(entry);
    if (text === undefined) dropped.add('decisions');
    else decisions.push(text.trim());
  }
  return decisions;
}
