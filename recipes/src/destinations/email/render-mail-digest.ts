import type { Period, PeriodMeeting } from '../../engine/recipe.ts';
import { cutText } from '../../report/clean-text.ts';
import type { Digest } from '../../report/digest.ts';
import { formatLocalWhen } from '../../report/format-when.ts';
import { listFacts } from '../../report/people.ts';
import { formatTask } from '../../report/plain-digest.ts';
import { plainText } from '../../report/plain-text.ts';
import { listOpenGroups } from '../../report/show-task.ts';
import type { DigestTask } from '../../report/tasks.ts';
import { en, type Words } from '../../words/en.ts';
import { localizeDigest } from '../../words/localize-digest.ts';
import { mailLimits, type MailMessage } from './compose-mail.ts';
import {
  escapeHtml,
  htmlDecisions,
  htmlTasks,
  type TaskRow,
  type Html,
  htmlHeading,
  htmlLink,
  htmlNote,
  htmlText,
} from './mail-html.ts';
import { htmlPage, type MailFooter, type MailPage, MAX_PAGE_BYTES, writeFooter } from './mail-page.ts';

const DEFAULT_FOOTER = writeFooter('your address is on the list for digests of meetings');

/** Share of the room for the meetings; the rest is for their tasks. */
const meetingsShare = 0.75;

/** Bytes for the end of the mail. */
const RESERVED_BYTES = 1500;

/**
 * Renders the meetings of a period as one mail, in the given order: title, time, beginning of the summary, counts of tasks and
 * decisions; then all tasks by owner. Counts meetings that are left out, by reason. Pure.
 */
export function renderMailDigest(
  meetings: readonly PeriodMeeting[],
  period: Period,
  timeZone: string,
  linkTo: (meetingId: string) => string | undefined,
  footer: MailFooter = DEFAULT_FOOTER,
  words: Words = en,
): MailMessage {
  const from = formatLocalWhen(period.fromMs, timeZone, words) ?? '';
  const to = formatLocalWhen(period.toMs, timeZone, words) ?? '';
  const title = words.meetingsSince(words.meetings(meetings.length), from);
  const note = `${words.period(from, to)} (${timeZone})`;
  const included = meetings.flatMap((meeting) =>
    'digest' in meeting ? [localizeDigest(meeting.digest, words)] : [],
  );
  const page: MailPage = {
    words,
    eyebrow: words.meetingDigest,
    title,
    preheader: cutText(included.map((digest) => digest.title).join(words.separator), 140),
    facts: note,
    sections: [],
    footer: footer.html,
  };
  const room = MAX_PAGE_BYTES - Buffer.byteLength(htmlPage(page)) - RESERVED_BYTES;
  const all = included.map((digest) => writeEntry(digest, timeZone, linkTo(digest.meetingId), words));
  const { entries, left } = takeFitting(all, { text: mailLimits.body, html: room * meetingsShare });
  const rest = writeRest(meetings, included.length - entries.length, words);
  const groups = gatherTasks(included);
  const openTasks = textOpenTasks(groups, left.text, words);
  return {
    subject: cutText(title, mailLimits.subject),
    text: `${[`${title}\n${note}`, ...entries.map(({ text }) => text), ...rest, ...openTasks].join('\n\n')}\n\n${footer.text}`,
    html: htmlPage({
      ...page,
      sections: [
        ...entries.map(({ html }) => html),
        ...rest.map(htmlText),
        ...htmlOpenTasks(groups, room * (1 - meetingsShare) + left.html, words),
      ],
    }),
  };
}

type Reason = Extract<PeriodMeeting, { leftOut: unknown }>['leftOut'];

/** In this order. */
const reasons = ['too_many', 'not_ready', 'deleted', 'unreadable', 'not_read'] as const;

/** Sentences about meetings that are left out; `unfitting` of them for lack of room. */
function writeRest(meetings: readonly PeriodMeeting[], unfitting: number, words: Words): readonly string[] {
  const amounts: Record<Reason, number> = {
    too_many: unfitting,
    not_ready: 0,
    deleted: 0,
    unreadable: 0,
    not_read: 0,
  };
  for (const meeting of meetings) if ('leftOut' in meeting) amounts[meeting.leftOut] += 1;
  return reasons
    .filter((reason) => amounts[reason] > 0)
    .map((reason) => words.leftOut[reason](amounts[reason]));
}

interface Room {
  /** Characters. */
  readonly text: number;
  /** Bytes. */
  readonly html: number;
}

/** The first entries that fit, and the remaining room. */
function takeFitting(
  entries: readonly Entry[],
  room: Room,
): { readonly entries: readonly Entry[]; readonly left: Room } {
  let left = room;
  for (const [place, entry] of entries.entries()) {
    const next = {
      text: left.text - entry.text.length - 2,
      html: left.html - Buffer.byteLength(entry.html) - 1,
    };
    if (next.text < 0 || next.html < 0) return { entries: entries.slice(0, place), left };
    left = next;
  }
  return { entries, left };
}

/** One meeting as text and HTML with the same content. */
interface Entry {
  readonly text: string;
  readonly html: Html;
}

const summaryLimits = { lines: 3, length: 400 };

const decisionLimits = { shown: 3, room: 6000 };

/** Renders one meeting in a few lines: time, beginning of the summary, first decisions. Pure. */
function writeEntry(digest: Digest, timeZone: string, link: string | undefined, words: Words): Entry {
  const when =
    digest.startedAt === undefined ? undefined : formatLocalWhen(digest.startedAt, timeZone, words);
  const facts = [when, ...listFacts(digest, words)].filter((fact) => fact !== undefined).join(' · ');
  const beginning = digest.isTranscriptEmpty ? words.nothingTranscribed : cutSummary(digest, words);
  const tasks = listOpenGroups(digest.taskGroups).reduce((sum, group) => sum + group.tasks.length, 0);
  const counts = `${words.openTaskCount(tasks)}${words.separator}${words.decisionCount(digest.decisions.length)}`;
  const first = digest.decisions.slice(0, decisionLimits.shown);
  const decisions = htmlDecisions(first, decisionLimits.room).html;
  const decisionLines = first.map(
    (decision) => `✓ ${cutText(plainText(decision).replaceAll(/\s+/g, ' '), summaryLimits.length)}`,
  );
  return {
    text: [
      digest.title,
      facts,
      beginning,
      ...decisionLines,
      counts,
      ...(link === undefined ? [] : [words.reportAt(link)]),
    ]
      .filter((line) => line !== '')
      .join('\n'),
    html: [
      htmlHeading(digest.title),
      ...(facts === '' ? [] : [htmlNote(facts)]),
      htmlText(beginning),
      ...(decisions === '' ? [] : [decisions]),
      htmlNote(counts),
      ...(link === undefined ? [] : [`<p style="margin:0 0 8px">${htmlLink(link, words.openReport)}</p>`]),
    ].join('\n'),
  };
}

/** The beginning of the summary without its tables, of which a few rows would say less than nothing. */
function cutSummary({ summary }: Digest, words: Words): string {
  const texts = summary.children.filter(({ type }) => type !== 'table');
  const children = texts.length === 0 ? summary.children : texts;
  const lines = plainText({ type: 'root', children })
    .split('\n')
    .filter((line) => line.trim() !== '');
  const beginning = cutText(lines.slice(0, summaryLimits.lines).join('\n'), summaryLimits.length);
  const isCut = children.length < summary.children.length || lines.length > summaryLimits.lines;
  return (isCut && !beginning.endsWith('…') ? `${beginning} …`.trim() : beginning) || words.noSummary;
}

/** The tasks of one owner from several meetings. */
interface OwnedTasks {
  /** Absent: tasks without one. */
  readonly owner?: string;
  readonly tasks: readonly { readonly task: DigestTask; readonly meeting: string }[];
}

/** Groups the open tasks of all meetings by owner, in order of appearance; tasks without an owner come last. */
function gatherTasks(digests: readonly Digest[]): readonly OwnedTasks[] {
  const owned = new Map<string | undefined, { task: DigestTask; meeting: string }[]>();
  for (const { title: meeting, taskGroups } of digests) {
    for (const { owner, tasks } of listOpenGroups(taskGroups)) {
      const listed = owned.get(owner) ?? [];
      listed.push(...tasks.map((task) => ({ task, meeting })));
      owned.set(owner, listed);
    }
  }
  const groups = [...owned].map(([owner, tasks]) => (owner === undefined ? { tasks } : { owner, tasks }));
  return [
    ...groups.filter(({ owner }) => owner !== undefined),
    ...groups.filter(({ owner }) => owner === undefined),
  ];
}

/** A table for each owner with as many rows as fit into `room` bytes. */
function htmlOpenTasks(groups: readonly OwnedTasks[], room: number, words: Words): readonly Html[] {
  if (groups.length === 0) return [];
  const parts: Html[] = [htmlHeading(words.openTasks)];
  let left = room - 1000;
  let isCut = false;
  for (const { owner, tasks } of groups) {
    const name = `<p dir="auto" style="margin:16px 0 8px;font-weight:600">${escapeHtml(owner ?? words.noOwner)}</p>`;
    const fitted = htmlTasks(tasks.map(writeRow), left - Buffer.byteLength(name), words, words.meeting);
    isCut ||= fitted.isCut;
    if (fitted.html === '') break;
    parts.push(name, fitted.html);
    left -= Buffer.byteLength(name) + fitted.bytes + 2;
  }
  return [...parts, ...(isCut ? [htmlNote(words.moreTasksInReports)] : [])];
}

/** The same as text of at most `room` characters. */
function textOpenTasks(groups: readonly OwnedTasks[], room: number, words: Words): readonly string[] {
  if (groups.length === 0) return [];
  const shown: string[] = [];
  let left = room - words.openTasks.length - words.moreTasksInReports.length;
  for (const line of writeLines(groups, words)) {
    left -= line.length + 1;
    if (left < 0) {
      shown.push(words.moreTasksInReports);
      break;
    }
    shown.push(line);
  }
  return [[words.openTasks, ...shown].join('\n')];
}

/** A generator, because most lines of a busy week are not needed. */
function* writeLines(groups: readonly OwnedTasks[], words: Words): Generator<string> {
  for (const { owner, tasks } of groups) {
    yield `${owner ?? words.noOwner}:`;
    for (const { task, meeting } of tasks)
      yield `• ${formatTask(task, words).replaceAll('\n', ' ')} · ${meeting}`;
  }
}

function writeRow({ task: { text, due, dueDate }, meeting }: OwnedTasks['tasks'][number]): TaskRow {
  const date = dueDate ?? due;
  return { text, owner: meeting, ...(date === undefined ? {} : { due: date }) };
}
