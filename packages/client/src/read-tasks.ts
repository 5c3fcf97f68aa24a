import { asFields, asList, asText, firstText } from './loose.ts';
import type { Task } from './report.ts';

const bulletPattern = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** The entries of a Markdown list; a text without bullets is read line by line. */
export function readListItems(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const bullets = lines.filter((line) => bulletPattern.test(line));
  const chosen = bullets.length > 0 ? bullets : lines.filter((line) => !line.trimStart().startsWith('#'));
  return chosen.map((line) => line.replace(bulletPattern, '').trim()).filter((item) => item !== '');
}

/**
 * Tasks from the entity `tasks`, whose text is a Markdown list or an object with `actions`
 * (service-observed: report JSON). Entries that hold no text are left out.
 */
export function readTasks(value: unknown): readonly Task[] {
  if (typeof value === 'string') return readListItems(value).map((text) => ({ text }));
  const actions = Array.isArray(value) ? value : asList(asFields(value)?.['actions']);
  return actions.flatMap((action) => {
    if (typeof action === 'string') return action.trim() === '' ? [] : [{ text: action.trim() }];
    const fields = asFields(action);
    if (fields === undefined) return [];
    const text = firstText(fields, 'text', 'action', 'task', 'title', 'name', 'description');
    if (text === undefined) return [];
    const owner = readOwner(fields);
    const due = firstText(fields, 'due', 'deadline', 'due_date', 'dueDate');
    return [{ text, ...(owner === undefined ? {} : { owner }), ...(due === undefined ? {} : { due }) }];
  });
}

function readOwner(fields: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of ['owner', 'assignee', 'responsible', 'speaker']) {
    const person = asFields(fields[name]);
    const owner = person === undefined ? asText(fields[name]) : firstText(person, 'name', 'email');
    if (owner !== undefined) return owner;
  }
  return undefined;
}
