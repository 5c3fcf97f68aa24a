import type { Report } from '@aftermeet/client';

import { groupTasks, type ReadItem } from './digest/group-tasks.ts';
import { listSections } from './digest/list-sections.ts';
import { listAttendees, listFacts, namePeople, readName } from './digest/name-people.ts';
import { readStart } from './digest/read-start.ts';
import { readTalk } from './digest/read-talk.ts';
import { cutText } from './text/cut-text.ts';
import { fillPurse, parseText, type ReadingPurse } from './text/parse-text.ts';
import { plainText } from './text/plain-text.ts';
import type { TextTree } from './text/text-tree.ts';
import { tidyLine } from './text/tidy-text.ts';

/** The tasks of one owner; those without an owner come last. */
export interface TaskGroup {
  readonly owner?: string;
  /** The owner's address, where a participant of that name has one. Never shown. */
  readonly email?: string;
  readonly tasks: readonly DigestTask[];
}

export interface DigestTask {
  /** The same for the same words of the same owner, however often the report is made: lowercase hex. */
  readonly key: string;
  readonly text: TextTree;
  /** As the service wrote it. */
  readonly due?: string;
  /** `YYYY-MM-DD`, where it is a date beyond doubt. */
  readonly dueDate?: string;
  /** Where in the recording it was stated. */
  readonly atSeconds?: number;
}

/** Somebody who took part. The address decides who receives something, and is never shown. */
export interface Attendee {
  readonly name?: string;
  readonly email?: string;
}

/** By its name, which may be a slug (`sales-meeting`), and by its id where the report says that. */
interface DigestTemplate {
  readonly name: string;
  readonly id?: string;
}

/** A named text of the report beside summary, decisions and tasks. */
export interface DigestSection {
  readonly title: string;
  readonly text: TextTree;
}

/** What somebody said without a break. */
export interface SpokenTurn {
  readonly speaker?: string;
  readonly text: string;
  readonly startSeconds?: number;
}

/** A stretch of the transcript; without a name where the report has no chapters. */
export interface TranscriptChapter {
  readonly name?: string;
  readonly startSeconds?: number;
  readonly turns: readonly SpokenTurn[];
}

/** What every recap says, of bounded size, before any destination shapes it. */
export interface Digest {
  readonly meetingId: string;
  readonly title: string;
  /** ISO 8601, in UTC. */
  readonly startedAt?: string;
  /** The same on the clocks of the meeting: `2026-07-07 14:00`, where the service says its offset. */
  readonly startedLocal?: string;
  /** `+03:00`, beside `startedLocal`. */
  readonly utcOffset?: string;
  readonly durationSeconds?: number;
  readonly source?: string;
  /** Names, never addresses. */
  readonly people: readonly string[];
  readonly attendees: readonly Attendee[];
  readonly tags: readonly string[];
  /** What its report was made with. */
  readonly templates: readonly DigestTemplate[];
  /** Duration, people and source in one line each, ready to be joined. */
  readonly facts: readonly string[];
  readonly summary: TextTree;
  readonly decisions: readonly TextTree[];
  readonly taskGroups: readonly TaskGroup[];
  readonly sections: readonly DigestSection[];
  /** Only where a recipe needs it (`needsTranscript`). */
  readonly transcript?: readonly TranscriptChapter[];
  /** Nothing was said, or nothing was understood. */
  readonly isTranscriptEmpty: boolean;
  /** The report holds more than this digest. */
  readonly isCut: boolean;
}

const limits = { title: 300, summary: 40_000, items: 500, item: 2000, tags: 100, templates: 50 };
/** Of all decisions and tasks together: enough for 500 with some words in bold. */
const itemPoints = 120_000;

/**
 * Reduces a report to its digest. Pure; the cost and the result are bounded whatever the report holds: 300 characters of
 * title, 40,000 of summary, 500 decisions and tasks of 2000 each, 80,000 of sections, 2,000,000 of transcript.
 */
export function buildDigest(report: Report, options: { readonly withTranscript?: boolean } = {}): Digest {
  const summary = report.summary ?? '';
  const purse = fillPurse(itemPoints);
  const decisions = readItems(report.decisions.slice(0, limits.items), purse);
  const tasks = groupTasks(report.tasks.slice(0, limits.items), report.participants, (text) =>
    readItem(text, purse),
  );
  const sections = listSections(report);
  const transcript = options.withTranscript === true ? readTalk(report) : undefined;
  const people = namePeople(report);
  const { durationSeconds = -1 } = report;
  const source = readName(report.source ?? '');
  return {
    meetingId: report.meetingId,
    title: cutText(tidyLine(report.title.slice(0, 4 * limits.title)), limits.title) || 'Untitled meeting',
    ...readStart(report),
    ...(durationSeconds >= 0 && Number.isFinite(durationSeconds) ? { durationSeconds } : {}),
    ...(source === '' ? {} : { source }),
    people,
    attendees: listAttendees(report),
    tags: [...new Set(report.tags.slice(0, limits.tags).map(readName).filter(isFilled))],
    templates: report.templates.slice(0, limits.templates).flatMap(readTemplate),
    facts: listFacts(report, people),
    summary: parseText(cutText(summary, limits.summary)),
    decisions: decisions.items,
    taskGroups: tasks.groups,
    sections: sections.sections,
    ...(transcript === undefined ? {} : { transcript: transcript.chapters }),
    isTranscriptEmpty: report.isTranscriptEmpty,
    isCut:
      summary.length > limits.summary ||
      report.decisions.length > limits.items ||
      report.tasks.length > limits.items ||
      decisions.isCut ||
      tasks.isCut ||
      sections.isCut ||
      (transcript?.isCut ?? false),
  };
}

function readItems(texts: readonly string[], purse: ReadingPurse) {
  const items = texts.map((text) => readItem(text, purse));
  return {
    items: items.map(({ text }) => text).filter(({ children }) => children.length > 0),
    isCut: items.some(({ isCut }) => isCut),
  };
}

/** What one decision or task says; the bullet of a list that holds nothing else goes. */
function readItem(markdown: string, purse: ReadingPurse): ReadItem {
  const tree = parseText(cutText(markdown, limits.item), purse);
  const [only, ...others] = tree.children;
  const [item, ...further] = only?.type === 'list' && !only.ordered ? only.children : [];
  const isBullet = others.length === 0 && further.length === 0 && item !== undefined;
  const text: TextTree = isBullet ? { type: 'root', children: item.children } : tree;
  return { text, isCut: markdown.length > limits.item };
}

function isFilled(text: string): boolean {
  return text !== '';
}

function readTemplate({ name: text, id: mark = '' }: Report['templates'][number]): readonly DigestTemplate[] {
  const [name, id] = [readName(text), readName(mark)];
  if (name === '' && id === '') return [];
  return [{ name: name || id, ...(id === '' ? {} : { id }) }];
}

/** `Send the offer (due 2026-11-25)`. */
export function formatTask(task: DigestTask): string {
  const text = plainText(task.text);
  return task.due === undefined ? text : `${text} (due ${task.due})`;
}
