import type { Digest } from '../digest.ts';
import { measureTree } from '../text/measure-tree.ts';
import type { TextTree } from '../text/text-tree.ts';

/** About what the objects around a text take, in characters. */
const perText = 100;

/** About how many characters a digest holds in memory. Counted, not written: a transcript can have two million. */
export function weighDigest(digest: Digest): number {
  const tasks = digest.taskGroups.flatMap((group) => group.tasks);
  const texts: readonly TextTree[] = [
    digest.summary,
    ...digest.decisions,
    ...tasks.map(({ text }) => text),
    ...digest.sections.map(({ text }) => text),
  ];
  const turns = (digest.transcript ?? []).flatMap((chapter) => chapter.turns);
  return (
    perText * (10 + digest.attendees.length) +
    texts.reduce((sum, text) => sum + measureTree(text) + perText, 0) +
    turns.reduce((sum, { text }) => sum + text.length + perText, 0)
  );
}
