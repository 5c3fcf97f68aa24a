import {
  asEntries,
  asFilled,
  asId,
  asPresent,
  asText,
  type Fields,
  isFields,
  openText,
  readFirst,
  spellNames,
  type Writable,
} from '../loose.ts';
import { type ListFrame, readDecisionText, readListText, readTaskMarks } from './list-text.ts';
import {
  createKnownPeople,
  type Dropped,
  type KnownPeople,
  readName,
  readPerson,
  type SpeakerList,
} from './people.ts';
import type { Task } from './report.ts';
import { saysNothing } from './says-nothing.ts';
import { type Instant, readDay, readPosition } from './times.ts';
import { findState, isOpenWord, namesNone } from './vocabulary.ts';

const listNames = spellNames('actions', 'tasks', 'action_items', 'items');

const textNames = spellNames('text', 'action', 'task', 'title', 'name', 'description', 'content');

const dueNames = spellNames('due', 'deadline', 'due_date', 'due_at');

const placeNames = spellNames('timestamp', 'start_seconds', 'at_seconds', 'start', 'start_time', 'time');

const chapterNames = spellNames('chapter', 'chapter_name');

interface TaskFrame {
  readonly start: Instant | undefined;
  /** The offset of the meeting, for days that are written as instants. */
  readonly utcOffset: string | undefined;
  readonly listed: SpeakerList;
  readonly people: KnownPeople;
  readonly chapterAt: (seconds: number) => string | undefined;
  readonly dropped: Dropped;
}

/**
 * Tasks from the entity `tasks`, whose value is a list written as text, a list or an object with `actions`
 * (service-observed: report JSON). Entries that hold no text are dropped.
 */
export function readTasks(value: unknown, frame: TaskFrame): readonly Task[] {
  const tasks: Task[] = [];
  const { people, dropped } = frame;
  const list: ListFrame = { kind: 'tasks', people, onSkipped: () => dropped.add('tasks') };
  for (const entry of listEntries(value, listNames, list)) {
    const task = readTask(entry, frame);
    if (task === undefined) dropped.add('tasks');
    else if (!saysNothing(task.text)) tasks.push(task);
  }
  return tasks;
}

/** The tasks of a value that is no text, as a Markdown list. */
export function writeTasks(value: unknown): string {
  const list: ListFrame = { kind: 'tasks', people: createKnownPeople([]), onSkipped: () => {} };
  return listEntries(value, listNames, list)
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
  const written = readTaskText(entry);
  if (written === undefined) return undefined;
  const task: Writable<Task> = readTaskMarks(written);
  if (!isFields(entry)) return task;
  const state = readTaskState(entry);
  if (state === 'open') delete task.state;
  else if (state !== undefined) task.state = state;
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

const stateNames = ['state', 'status'];

const doneNames = spellNames('done', 'is_done', 'completed', 'is_completed', 'checked');

const cancelledNames = spellNames('cancelled', 'canceled', 'is_cancelled');

function asTrue(value: unknown): true | undefined {
  return value === true || value === 1 || value === 'true' ? true : undefined;
}

function readTaskState(fields: Fields): Task['state'] | 'open' {
  if (readFirst(fields, doneNames, asTrue)) return 'done';
  if (readFirst(fields, cancelledNames, asTrue)) return 'cancelled';
  return readFirst(fields, stateNames, (value) => {
    const word = asText(value) ?? '';
    return findState(word) ?? (isOpenWord(word) ? 'open' : undefined);
  });
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

const ownerNames = spellNames('owner', 'assignee', 'assigned_to', 'responsible', 'assignees', 'owners');

const idNames = spellNames('id', 'speaker_id', 'user_id');

/** Digits, `speaker_1` or a UUID. */
const idPattern = /^(?:[a-z]+[_-])?\d+$|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Who has to do a task: one person, or several as one text. An id stands for the speaker whom the report lists
 * under it; an unknown id is dropped, because a recap would show it as a name.
 */
function readOwner(fields: Fields, listed: SpeakerList, dropped: Dropped): string | undefined {
  let unread = 0;
  for (const name of ownerNames) {
    const people = listOwners(fields[name]);
    const owners = people.map((person) => nameOwner(person, listed)).filter((owner) => owner !== undefined);
    if (owners.length > 0) {
      dropped.add('task owners', people.length - owners.length);
      return [...new Set(owners)].join(', ');
    }
    unread += people.length;
  }
  dropped.add('task owners', unread);
  return undefined;
}

function listOwners(value: unknown): readonly unknown[] {
  const opened = openText(value);
  const people: readonly unknown[] = Array.isArray(opened) ? opened : [opened];
  return people.filter(
    (person) => asFilled(person) !== undefined && (typeof person !== 'string' || !namesNone(person)),
  );
}

function nameOwner(value: unknown, listed: SpeakerList): string | undefined {
  if (!isFields(value)) return resolveName(asId(value)?.trim(), listed);
  const { name, email } = readPerson(value) ?? {};
  const findById = (fields: unknown): string | undefined =>
    isFields(fields) ? readFirst(fields, idNames, (id) => listed.nameById.get(asId(id) ?? '')) : undefined;
  return (
    resolveName(name, listed) ?? email ?? findById(value) ?? readFirst(value, ['user', 'person'], findById)
  );
}

function resolveName(text: string | undefined, { names, nameById }: SpeakerList): string | undefined {
  if (text === undefined) return undefined;
  return nameById.get(text) ?? (names.has(text) || !idPattern.test(text) ? text : undefined);
}

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
  // With several of one text it is unknown which of them the others are.
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

const decisionListNames = ['decisions', 'items', 'actions'];

const decisionTextNames = ['text', 'decision', 'title', 'name', 'description', 'content'];

/** Decisions from a list written as text, a list of texts or objects, or an object with such a list. */
export function readDecisions(value: unknown, dropped: Dropped): readonly string[] {
  const decisions: string[] = [];
  const list: ListFrame = {
    kind: 'decisions',
    people: createKnownPeople([]),
    onSkipped: () => dropped.add('decisions'),
  };
  for (const entry of listEntries(value, decisionListNames, list)) {
    const text = isFields(entry) ? readFirst(entry, decisionTextNames, asText) : asText(entry);
    if (text === undefined) dropped.add('decisions');
    else decisions.push(readDecisionText(text));
  }
  return decisions;
}

const MAX_DEPTH = 3;

/**
 * The entries of a block: of a list written as text, of a list, or of an object that holds one under one of the names.
 * Any other object is an entry itself. A text that only says that there is nothing is none.
 */
function listEntries(
  value: unknown,
  names: readonly string[],
  frame: ListFrame,
  depth = 0,
): readonly unknown[] {
  const opened = openText(value);
  if (typeof opened === 'string') return readListText(opened, frame);
  const inner = isFields(opened) && depth < MAX_DEPTH ? readFirst(opened, names, asPresent) : undefined;
  if (inner !== undefined) return listEntries(inner, names, frame, depth + 1);
  return asEntries(opened).filter((entry) => typeof entry !== 'string' || !saysNothing(entry));
}

const taskKeys: ReadonlySet<string> = new Set(['tasks', 'task', 'action_items', 'actions', 'todos']);

const decisionKeys: ReadonlySet<string> = new Set(['decisions', 'decision', 'key_decisions']);

/** `Med-Anamnesis`, `med_anamnesis` and `medAnamnesis` are one name. */
export function normalizeName(name: string): string {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
}

/** Of a normalized name. */
export function isTasks(key: string): boolean {
  return taskKeys.has(key);
}

/** Of a normalized name. */
export function isDecisions(key: string): boolean {
  return decisionKeys.has(key);
}
