import type { Report } from '@aftermeet/client';

import { en } from '../words/en.ts';
import { cutText, cleanLine } from './clean-text.ts';
import { literalText, parseText } from './parse-text.ts';
import { type PeopleDirectory, placePeople } from './people-directory.ts';
import { type Attendee, countParticipants, listAttendees, namePeople, cleanName } from './people.ts';
import { type DigestSection, listSections } from './sections.ts';
import { type TaskGroup, groupTasks, type ParsedItem } from './tasks.ts';
import { measureTree, type TextTree } from './text-tree.ts';
import { type TranscriptChapter, buildTranscript } from './transcript.ts';

/** `name` may be a slug (`sales-meeting`). */
interface DigestTemplate {
  readonly name: string;
  readonly id?: string;
}

/** The content of a report in bounded size, before a destination renders it. */
export interface Digest {
  readonly meetingId: string;
  readonly title: string;
  /** ISO 8601, in UTC. */
  readonly startedAt?: string;
  /** Local time of the meeting, `2026-07-07 14:00`; absent when the service gives no offset. */
  readonly startedLocal?: string;
  /** Offset of `startedLocal`: `+03:00`. */
  readonly utcOffset?: string;
  readonly durationSeconds?: number;
  readonly source?: string;
  /** Names, never addresses. */
  readonly people: readonly string[];
  readonly attendees: readonly Attendee[];
  /** How many participants the report names, or speakers where those are more; absent: it names none. */
  readonly participantCount?: number;
  readonly tags: readonly string[];
  /** Templates that the report was made with. */
  readonly templates: readonly DigestTemplate[];
  readonly summary: TextTree;
  readonly decisions: readonly TextTree[];
  readonly taskGroups: readonly TaskGroup[];
  readonly sections: readonly DigestSection[];
  /** Present only for recipes with `needsTranscript`. */
  readonly transcript?: readonly TranscriptChapter[];
  /** The recording has no recognised speech. */
  readonly isTranscriptEmpty: boolean;
  /** The report holds more than fits into the digest. */
  readonly isCut: boolean;
}

/** Characters of decisions and tasks that are parsed as Markdown. Further ones stay as they are written: this bounds the time. */
const MAX_ITEM_MARKDOWN = 200_000;

const limits = { title: 300, summary: 40_000, items: 500, item: 2000, tags: 100, templates: 50 };

interface DigestOptions {
  readonly withTranscript?: boolean;
  /** Who people are, as the installation says. */
  readonly people?: PeopleDirectory | undefined;
}

/**
 * Builds the digest of a report. Pure. Time and size are bounded for any report: title 300 characters, summary 40,000, 500
 * decisions and 500 tasks of 2000 each, sections 80,000, transcript 2,000,000.
 */
export function buildDigest(given: Report, options: DigestOptions = {}): Digest {
  const { people: directory } = options;
  const report = directory === undefined ? given : placePeople(given, directory);
  const addIds = <Found extends Attendee | TaskGroup>(person: Found, name: string | undefined): Found => {
    const { slack, notion } = directory?.find({ name, email: person.email }) ?? {};
    return slack === undefined && notion === undefined ? person : { ...person, slack, notion };
  };
  const summary = report.summary ?? '';
  const parseItem = createItemParser();
  const decisions = parseItems(report.decisions.slice(0, limits.items), parseItem);
  const tasks = groupTasks(report.tasks.slice(0, limits.items), report.participants, parseItem);
  const sections = listSections(report);
  const transcript = options.withTranscript === true ? buildTranscript(report) : undefined;
  const people = namePeople(report);
  const { durationSeconds = -1 } = report;
  const source = cleanName(report.source ?? '');
  return {
    meetingId: report.meetingId,
    title: cutText(cleanLine(report.title.slice(0, 4 * limits.title)), limits.title) || en.untitledMeeting,
    ...parseStart(report),
    ...(durationSeconds >= 0 && Number.isFinite(durationSeconds) ? { durationSeconds } : {}),
    ...(source === '' ? {} : { source }),
    people,
    attendees: listAttendees(report).map((attendee) => addIds(attendee, attendee.name)),
    ...countParticipants(report),
    tags: [...new Set(report.tags.slice(0, limits.tags).map(cleanName).filter(isNotEmpty))],
    templates: report.templates.slice(0, limits.templates).flatMap(toDigestTemplates),
    summary: parseText(cutText(summary, limits.summary)),
    decisions: decisions.items,
    taskGroups: tasks.groups.map((group) => addIds(group, group.owner)),
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

function parseItems(texts: readonly string[], parseItem: (text: string) => ParsedItem) {
  const items = texts.map(parseItem);
  return {
    items: items.map(({ text }) => text).filter(({ children }) => children.length > 0),
    isCut: items.some(({ isCut }) => isCut),
  };
}

/** Parses decisions and tasks. A list with a single bullet becomes the text of that bullet. */
function createItemParser(): (markdown: string) => ParsedItem {
  let room = MAX_ITEM_MARKDOWN;
  return (markdown) => {
    const cut = cutText(markdown, limits.item);
    room -= cut.length;
    const tree = room < 0 ? literalText(cut) : parseText(cut);
    const [only, ...others] = tree.children;
    const [item, ...further] = only?.type === 'list' && !only.ordered ? only.children : [];
    const isBullet = others.length === 0 && further.length === 0 && item !== undefined;
    const text: TextTree = isBullet ? { type: 'root', children: item.children } : tree;
    return { text, isCut: markdown.length > limits.item };
  };
}

function isNotEmpty(text: string): boolean {
  return text !== '';
}

function toDigestTemplates({
  name: text,
  id: rawId = '',
}: Report['templates'][number]): readonly DigestTemplate[] {
  const [name, id] = [cleanName(text), cleanName(rawId)];
  if (name === '' && id === '') return [];
  return [{ name: name || id, ...(id === '' ? {} : { id }) }];
}

type Start = Pick<Digest, 'startedAt' | 'startedLocal' | 'utcOffset'>;

/** Start in UTC, and local time when the offset is known. */
function parseStart({ startedAt, utcOffset }: Pick<Report, 'startedAt' | 'utcOffset'>): Start {
  const ms = startedAt === undefined ? NaN : Date.parse(startedAt);
  if (startedAt === undefined || Number.isNaN(ms)) return {};
  const iso = new Date(ms).toISOString();
  const parts = /^([+-])([01]\d):([0-5]\d)$/.exec(utcOffset ?? '');
  if (utcOffset === undefined || parts === null) return { startedAt: iso };
  const offsetMs = (Number(parts[2]) * 60 + Number(parts[3])) * 60_000 * (parts[1] === '-' ? -1 : 1);
  const local = new Date(ms + offsetMs);
  if (Number.isNaN(local.getTime())) return { startedAt: iso };
  return { startedAt: iso, startedLocal: local.toISOString().slice(0, 16).replace('T', ' '), utcOffset };
}

/** Approximate memory of the objects around a text, in characters. */
const CHARACTERS_PER_TEXT = 100;

/** Approximate number of characters that a digest holds in memory. Adds lengths, because a transcript can have two million. */
export function measureDigest(digest: Digest): number {
  const tasks = digest.taskGroups.flatMap((group) => group.tasks);
  const texts: readonly TextTree[] = [
    digest.summary,
    ...digest.decisions,
    ...tasks.map(({ text }) => text),
    ...digest.sections.map(({ text }) => text),
  ];
  const turns = (digest.transcript ?? []).flatMap((chapter) => chapter.turns);
  return (
    CHARACTERS_PER_TEXT * (10 + digest.attendees.length) +
    texts.reduce((sum, text) => sum + measureTree(text) + CHARACTERS_PER_TEXT, 0) +
    turns.reduce((sum, { text }) => sum + text.length + CHARACTERS_PER_TEXT, 0)
  );
}
