import type { Task } from './report.ts';

/**
 * Two templates of one meeting often list the same task, one of them with less: of equal texts only those stay
 * that no other one says more fully, with what the others know besides (where it was stated). Equal texts of
 * different owners or days are different tasks.
 */
export function mergeTasks(tasks: readonly Task[]): readonly Task[] {
  const fuller = new Set<string>();
  const kept = new Map<string, { readonly text: string; readonly task: Task }>();
  const knownByText = new Map<string, Task>();
  for (const task of tasks) {
    const text = fold(task.text).replace(/[.;]$/, '');
    const owner = fold(task.owner);
    const due = fold(task.due);
    const key = writeKey(text, owner, due);
    kept.set(key, { text, task: { ...task, ...kept.get(key)?.task } });
    knownByText.set(text, { ...task, ...knownByText.get(text) });
    if (owner !== '' && due !== '') fuller.add(writeKey(text, owner, '')).add(writeKey(text, '', due));
    if (owner !== '' || due !== '') fuller.add(writeKey(text, '', ''));
  }
  const stay = [...kept].filter(([key]) => !fuller.has(key)).map(([, entry]) => entry);
  const counts = new Map<string, number>();
  for (const { text } of stay) counts.set(text, (counts.get(text) ?? 0) + 1);
  // With several of one text nobody knows which of them the others are.
  return stay.map(({ text, task }) =>
    counts.get(text) === 1 ? { ...knownByText.get(text), ...task } : task,
  );
}

function writeKey(...parts: readonly [text: string, owner: string, due: string]): string {
  return JSON.stringify(parts);
}

/** Without what two writings of the same words differ in. */
function fold(text = ''): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/\s{2,}|[^\S ]/g, ' ');
}
