import type { Person, Report, Task } from '@aftermeet/client';

import { cutText } from './text/cut-text.ts';
import { formatDuration, formatWhen } from './text/format-when.ts';
import { plainMarkdown } from './text/plain-markdown.ts';
import { tidyLine } from './text/tidy-text.ts';

/** The tasks of one owner; those without an owner come last. */
interface TaskGroup {
  readonly owner?: string;
  readonly tasks: readonly DigestTask[];
}

export interface DigestTask {
  readonly text: string;
  readonly due?: string;
}

/** What every recap says, as plain text of bounded size, before any destination shapes it. */
export interface Digest {
  readonly meetingId: string;
  readonly title: string;
  /** ISO 8601. */
  readonly startedAt?: string;
  /** Names, never addresses. */
  readonly people: readonly string[];
  /** Date, duration, people and source in one line each, ready to be joined. */
  readonly facts: readonly string[];
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly taskGroups: readonly TaskGroup[];
  /** Nothing was said, or nothing was understood. */
  readonly isTranscriptEmpty: boolean;
  /** The report holds more than this digest. */
  readonly isCut: boolean;
}

const limits = { title: 300, summary: 40_000, items: 300, item: 2000, people: 100, name: 100 };

/** Reduces a report to its digest. Pure; the cost and the result are bounded whatever the report holds. */
export function buildDigest(report: Report): Digest {
  const people = namePeople(report);
  const decisions = report.decisions.slice(0, limits.items).map(readItem).filter(isFilled);
  const tasks = report.tasks.slice(0, limits.items);
  const summary = report.summary ?? '';
  const startedAt = report.startedAt !== undefined && formatWhen(report.startedAt);
  return {
    meetingId: report.meetingId,
    title: cutText(tidyLine(report.title.slice(0, 4 * limits.title)), limits.title) || 'Untitled meeting',
    ...(startedAt ? { startedAt: report.startedAt ?? '' } : {}),
    people,
    facts: listFacts(report, people),
    summary: plainMarkdown(cutText(summary, limits.summary)),
    decisions,
    taskGroups: groupTasks(tasks),
    isTranscriptEmpty: report.isTranscriptEmpty,
    isCut:
      summary.length > limits.summary ||
      report.decisions.length > limits.items ||
      report.tasks.length > limits.items,
  };
}

function readItem(text: string): string {
  return cutText(plainMarkdown(text.slice(0, 2 * limits.item)).replace(/^• /, ''), limits.item);
}

function readName(name: string): string {
  return cutText(tidyLine(name.slice(0, 4 * limits.name)), limits.name);
}

function isFilled(text: string): boolean {
  return text !== '';
}

function namePeople(report: Report): readonly string[] {
  const named = report.participants.slice(0, limits.people).map(namePerson).filter(isFilled);
  const names =
    named.length > 0 ? named : report.speakers.slice(0, limits.people).map(({ name }) => readName(name));
  return [...new Set(names.filter(isFilled))];
}

/** An address in the place of a name stays out: a recap can be read by more people than the list of guests. */
function namePerson(person: Person): string {
  const name = readName(person.name ?? '');
  return name.includes('@') ? '' : name;
}

function listFacts(report: Report, people: readonly string[]): readonly string[] {
  const facts: string[] = [];
  if (report.durationSeconds !== undefined && report.durationSeconds >= 0) {
    facts.push(formatDuration(report.durationSeconds));
  }
  if (people.length > 0) facts.push(listNames(people));
  if (report.source !== undefined) facts.push(readName(report.source));
  return facts.filter(isFilled);
}

function listNames(people: readonly string[]): string {
  const shown = people.slice(0, 8);
  const more = people.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function groupTasks(tasks: readonly Task[]): readonly TaskGroup[] {
  const groups = new Map<string, DigestTask[]>();
  for (const task of tasks) {
    const text = readItem(task.text);
    if (text === '') continue;
    const owner = readName(task.owner ?? '');
    const due = readName(task.due ?? '');
    const group = groups.get(owner) ?? [];
    group.push(due === '' ? { text } : { text, due });
    groups.set(owner, group);
  }
  const owned = [...groups].filter(([owner]) => owner !== '');
  const unowned = groups.get('');
  return [
    ...owned.map(([owner, grouped]) => ({ owner, tasks: grouped })),
    ...(unowned === undefined ? [] : [{ tasks: unowned }]),
  ];
}

/** `Send the offer (due 2026-11-25)`. */
export function formatTask(task: DigestTask): string {
  return task.due === undefined ? task.text : `${task.text} (due ${task.due})`;
}
