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
import { type Dropped, readName, readPerson, type SpeakerList } from './people.ts';
import type { Task } from './report.ts';
import { type Instant, readDay, readPosition } from './times.ts';

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
  return people.filter((person) => asFilled(person) !== undefined);
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

/** Decisions from a Markdown list, a list of texts or objects, or an object with such a list. */
export function readDecisions(value: unknown, dropped: Dropped): readonly string[] {
  const decisions: string[] = [];
  for (const entry of listEntries(value, decisionListNames, () => dropped.add('decisions'))) {
    const text = isFields(entry) ? readFirst(entry, decisionTextNames, asText) : asText(entry);
    if (text === undefined) dropped.add('decisions');
    else decisions.push(text.trim());
  }
  return decisions;
}

const MAX_DEPTH = 3;

/**
 * The entries of a block: of a Markdown list, of a list, or of an object that holds one under one of the names.
 * Any other object is an entry itself. A text that only says that there is nothing is none. `onSkipped` hears
 * of each line of a text that is lost.
 */
function listEntries(
  value: unknown,
  names: readonly string[],
  onSkipped: () => void,
  depth = 0,
): readonly unknown[] {
  const opened = openText(value);
  if (typeof opened === 'string') return readListItems(opened, onSkipped);
  const inner = isFields(opened) && depth < MAX_DEPTH ? readFirst(opened, names, asPresent) : undefined;
  if (inner !== undefined) return listEntries(inner, names, onSkipped, depth + 1);
  return asEntries(opened).filter((entry) => typeof entry !== 'string' || !saysNothing(entry));
}

const bulletPattern = /^(?:[-*•+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** So much further to the right begins what is inside of an entry, not beside it. */
const INNER_INDENT = 2;

const MAX_LABEL_LENGTH = 60;

/** A heading, a bold line or a line that ends with a colon, for the entries that follow. */
interface Label {
  /** Undefined where it only says that this is the list. */
  readonly text: string | undefined;
  readonly isHeading: boolean;
  isUsed: boolean;
}

interface Item {
  readonly indent: number;
  readonly label: Label | undefined;
  readonly parts: string[];
}

/**
 * The entries of a Markdown list. What is indented below an entry belongs to it, bullets too. Where the list has
 * several labels, each stands before its entries (`Ann: Send the deck`): nothing else tells them apart. A text
 * without bullets is read line by line. `onSkipped` hears of each line that is lost, but for headings.
 */
export function readListItems(text: string, onSkipped: () => void): readonly string[] {
  const lines = text.split(/\r?\n/);
  const hasBullets = lines.some((line) => bulletPattern.test(line.trimStart()) && hasWords(line));
  const items: Item[] = [];
  const labels: Label[] = [];
  let item: Item | undefined;
  let isAfterGap = false;
  for (const line of lines) {
    const words = line.trim();
    isAfterGap ||= words === '';
    if (!hasWords(words)) continue;
    const indent = measureIndent(line);
    const entry = words.replace(bulletPattern, '');
    const isBullet = entry !== words;
    const label = isBullet ? undefined : readLabel(words, hasBullets);
    if (item !== undefined && isInside(item, indent, isBullet)) {
      item.parts.push(isBullet ? joinBullet(item, entry) : ` ${words}`);
    } else if (label !== undefined) {
      labels.push(label);
      item = undefined;
    } else if (isBullet || !hasBullets) {
      item = { indent, label: labels.at(-1), parts: [entry] };
      if (item.label !== undefined) item.label.isUsed = true;
      items.push(item);
    } else if (item !== undefined && !isAfterGap) {
      item.parts.push(` ${words}`);
    } else {
      item = undefined;
      onSkipped();
    }
    isAfterGap = false;
  }
  return writeItems(items, labels, onSkipped);
}

function writeItems(
  items: readonly Item[],
  labels: readonly Label[],
  onSkipped: () => void,
): readonly string[] {
  const groups = labels.filter(({ text, isUsed }) => text !== undefined && isUsed);
  const shown = new Set(
    groups.length > 1 ? groups.filter(({ text = '' }) => text.length <= MAX_LABEL_LENGTH) : [],
  );
  for (const label of labels) {
    if (label.text !== undefined && !label.isHeading && !shown.has(label)) onSkipped();
  }
  return items
    .map(({ label, parts }) => ({ label, text: parts.join('') }))
    .filter(({ text }) => !saysNothing(text))
    .map(({ label, text }) =>
      label?.text !== undefined && shown.has(label) ? `${label.text}: ${text}` : text,
    );
}

function measureIndent(line: string): number {
  return line.slice(0, line.length - line.trimStart().length).replaceAll('\t', '    ').length;
}

function isInside(item: Item, indent: number, isBullet: boolean): boolean {
  return isBullet ? indent >= item.indent + INNER_INDENT : indent > item.indent;
}

function joinBullet({ parts }: Item, entry: string): string {
  return /[.:;!?]$/.test(parts.at(-1)?.slice(-1) ?? '') ? ` ${entry}` : `; ${entry}`;
}

/** Without bullets, only what is surely no entry. */
function readLabel(words: string, hasBullets: boolean): Label | undefined {
  const isHeading = words.startsWith('#');
  const isBold = /^(?:\*\*|__).+(?:\*\*|__):?$/.test(words);
  const text = words.replaceAll(/^[#*_\s]+|[*_:\s]+$/g, '');
  const key = normalizeName(text);
  const isOfList = isTasks(key) || isDecisions(key);
  if (!isHeading && !isOfList && !(hasBullets && (isBold || words.endsWith(':')))) return undefined;
  return { text: isOfList ? undefined : text, isHeading, isUsed: false };
}

const wordPattern = /[\p{L}\p{N}]/u;

const nothingPattern =
  /^(?:(?:there (?:are|were) )?no (?:[a-z-]+ ){0,2}(?:tasks?|actions?|items?|decisions?|to-?dos?)|none|nothing|n\/a|not applicable)(?: (?:are|is|was|were|have been|has been|could be))?(?: (?:identified|made|found|recorded|mentioned|assigned|agreed|agreed on|discussed|taken|reached|noted|detected|stated|given))?(?: (?:in|at|from|during) (?:the|this) (?:meeting|call|conversation|discussion|transcript|recording))?[.!]?$/i;

/** A longer text says something. */
const MAX_LENGTH = 120;

function hasWords(text: string): boolean {
  return wordPattern.test(text);
}

/** Whether an entry of a list says only that the list is empty: `None.`, `No tasks were identified.`, `—`. */
function saysNothing(text: string): boolean {
  return !hasWords(text) || (text.length <= MAX_LENGTH && nothingPattern.test(text.trim()));
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
