import { cutText } from '../text/cut-text.ts';
import type { FlowPart } from './rich-text.ts';
import { readText } from './take-flow.ts';

/** What the titles take of the message: the thread shows them all. */
const mostCharacters = 100;

/** What a message says of its replies: that it is cut and goes on there, else what stands there. */
export function describeThread(pages: readonly (readonly FlowPart[])[], isCut: boolean): string {
  const headings = pages.flat().filter(({ level }) => level === 1);
  const titles = [...new Set(headings.map(({ part }) => readText(part).replace(/ \(continued\)$/, '')))];
  const [first] = titles;
  if (isCut || first === undefined) return 'This continues in the thread.';
  let shown = cutText(first, mostCharacters);
  for (const title of titles.slice(1)) {
    const next = `${shown}, ${title}`;
    if (next.length > mostCharacters) return `In the thread: ${shown} and more`;
    shown = next;
  }
  return `In the thread: ${shown}`;
}
