import type { Dropped } from './dropped.ts';
import { listEntries } from './list-entries.ts';
import { asText, type Fields, isFields, readFirst, spellNames, type Writable } from './loose.ts';
import { readDay } from './read-day.ts';
import { readName } from './read-name.ts';
import { readOwner } from './read-owner.ts';
import type { SpeakerList } from './read-speakers.ts';
import { type Instant, readPosition } from './read-time.ts';
import type { Task } from './report.ts';

const listNames = spellNames('actions', 'tasks', 'action_items', 'items');
const textNames = spellNames('text', 'action', 'task', 'title', 'name', 'description', 'content');
const dueNames = spellNames('due', 'deadline', 'due_date', 'due_at');
const placeNames = spellNames('timestamp', 'start_seconds', 'at_seconds', 'start', 'start_time', 'time');
const chapterNames = spellNames('chapter', 'chapter_name');

export interface TaskFrame {
  readonly start: Instant | undefined;
  /** The offset of the meeting, for days that are written as instants. */
  readonly utcOffset: string | undefined;
  readonly listed: SpeakerList;
  readonly chapterAt: (seconds: number) => string | undefined;
  readonly dropped: Dropped;
}

/**
 * Tasks from the entity `tasks`, whose text is a Markdown list, a list or an object with `actions`
 * (service-observed: report JSON). Entries that hold no text are dropped.
 */
export function readTasks(value: unknown, frame: TaskFrame): readonly Task[] {
  const tasks: Task[] = [];
  for (const entry of listEntries(value, listNames, () => frame.dropped.add('tasks'))) {
    const task = readTask(entry, frame);
    if (task === undefined) frame.dropped.add('tasks');
    else tasks.push(task);
  }
  return tasks;
}

/** The tasks of a value that is no text, as a Markdown list. */
export function writeTasks(value: unknown): string {
  return listEntries(value, listNames, () => {})
    .map(readTaskText)
    .filter((text) => text !== undefined)
    .map((text) => `- ${text}`)
    .join('\n');
}

function readTaskText(entry: unknown): string | undefined {
  return (isFields(entry) ? readFirst(entry, textNames, asText) : asText(entry))?.trim();
}

function readTask(entry: unknown, frame: TaskFrame): Task | undefined {
  const { start, utcOffset, listed, chapterAt, dropped } = frame;
  const text = readTaskText(entry);
  if (text === undefined) return undefined;
  if (!isFields(entry)) return { text };
  const task: Writable<Task> = { text };
  const owner = readOwner(entry, listed, dropped);
  if (owner !== undefined) task.owner = owner;
  addDue(task, entry, utcOffset);
  const atSeconds = readFirst(entry, placeNames, (place) => readPosition(place, start));
  if (atSeconds !== undefined) task.atSeconds = atSeconds;
  const chapter =
    readFirst(entry, chapterNames, readName) ?? (atSeconds === undefined ? undefined : chapterAt(atSeconds));
  if (chapter !== undefined) task.chapter = chapter;
  return task;
}

function addDue(task: Writable<Task>, fields: Fields, utcOffset: string | undefined): void {
  const value = readFirst(fields, dueNames, (due) =>
    isFields(due) ? readFirst(due, ['date', 'text', 'value'], asDue) : asDue(due),
  );
  const due = asText(value);
  if (due === undefined) return;
  task.due = due;
  const dueDate = readDay(value, utcOffset);
  if (dueDate !== undefined) task.dueDate = dueDate;
}

/** A number stays one: it may be a Unix time. */
function asDue(value: unknown): unknown {
  return asText(value) === undefined ? undefined : value;
}
