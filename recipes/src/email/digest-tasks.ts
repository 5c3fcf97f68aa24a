import { type Digest, type DigestTask, formatTask } from '../digest.ts';
import { escapeHtml } from './escape-html.ts';
import { htmlTasks, type TaskRow } from './html-tasks.ts';
import { type Html, htmlHeading, htmlNote } from './mail-page.ts';

/** The tasks of one owner from several meetings. */
export interface OwnedTasks {
  readonly owner: string;
  readonly tasks: readonly { readonly task: DigestTask; readonly meeting: string }[];
}

const nobody = 'No owner';
const title = 'Open tasks';
const cutNote = 'There are more tasks in the reports.';

/** The tasks of all meetings by their owners, in the order in which these come up; those without an owner last. */
export function gatherTasks(digests: readonly Digest[]): readonly OwnedTasks[] {
  const owned = new Map<string, { task: DigestTask; meeting: string }[]>();
  for (const { title: meeting, taskGroups } of digests) {
    for (const { owner = nobody, tasks } of taskGroups) {
      const listed = owned.get(owner) ?? [];
      listed.push(...tasks.map((task) => ({ task, meeting })));
      owned.set(owner, listed);
    }
  }
  const groups = [...owned].map(([owner, tasks]) => ({ owner, tasks }));
  return [
    ...groups.filter(({ owner }) => owner !== nobody),
    ...groups.filter(({ owner }) => owner === nobody),
  ];
}

/** A table for each owner, as many rows as fit into `room` bytes. */
export function htmlOpenTasks(groups: readonly OwnedTasks[], room: number): readonly Html[] {
  if (groups.length === 0) return [];
  const parts: Html[] = [htmlHeading(title)];
  let left = room - 1000;
  let isCut = false;
  for (const { owner, tasks } of groups) {
    const name = `<p dir="auto" style="margin:16px 0 8px;font-weight:600">${escapeHtml(owner)}</p>`;
    const fitted = htmlTasks(tasks.map(writeRow), left - Buffer.byteLength(name), 'Meeting');
    isCut ||= fitted.isCut;
    if (fitted.html === '') break;
    parts.push(name, fitted.html);
    left -= Buffer.byteLength(name) + fitted.bytes + 2;
  }
  return [...parts, ...(isCut ? [htmlNote(cutNote)] : [])];
}

/** The same as one text, as much as `room` characters hold. */
export function textOpenTasks(groups: readonly OwnedTasks[], room: number): readonly string[] {
  if (groups.length === 0) return [];
  const shown: string[] = [];
  let left = room - title.length - cutNote.length;
  for (const line of writeLines(groups)) {
    left -= line.length + 1;
    if (left < 0) {
      shown.push(cutNote);
      break;
    }
    shown.push(line);
  }
  return [[title, ...shown].join('\n')];
}

/** Written one by one: of a busy week most are not asked for. */
function* writeLines(groups: readonly OwnedTasks[]): Generator<string> {
  for (const { owner, tasks } of groups) {
    yield `${owner}:`;
    for (const { task, meeting } of tasks) yield `• ${formatTask(task).replaceAll('\n', ' ')} · ${meeting}`;
  }
}

function writeRow({ task: { text, due, dueDate }, meeting }: OwnedTasks['tasks'][number]): TaskRow {
  const date = dueDate ?? due;
  return { text, owner: meeting, ...(date === undefined ? {} : { due: date }) };
}
