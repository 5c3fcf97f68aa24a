import type { Period, PeriodMeeting } from '../../engine/recipe.ts';
import { cutText } from '../../report/clean-text.ts';
import type { Digest } from '../../report/digest.ts';
import { formatLocalWhen } from '../../report/format-when.ts';
import { formatTask, noSummaryText } from '../../report/plain-digest.ts';
import { plainText } from '../../report/plain-text.ts';
import { listOpenGroups } from '../../report/show-task.ts';
import type { DigestTask } from '../../report/tasks.ts';
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
): MailMessage {
  const from = formatLocalWhen(period.fromMs, timeZone) ?? '';
  const to = formatLocalWhen(period.toMs, timeZone) ?? '';
  const title = `${count(meetings.length, 'meeting')} since ${from}`;
  const note = `${from} to ${to} (${timeZone})`;
  const included = meetings.flatMap((meeting) => ('digest' in meeting ? [meeting.digest] : []));
  const page: MailPage = {
    eyebrow: 'Meeting digest',
    title,
    preheader: cutText(included.map((digest) => digest.title).join(', '), 140),
    facts: note,
    sections: [],
    footer: footer.html,
  };
  const room = MAX_PAGE_BYTES - Buffer.byteLength(htmlPage(page)) - RESERVED_BYTES;
  const all = included.map((digest) => writeEntry(digest, timeZone, linkTo(digest.meetingId)));
  const { entries, left } = takeFitting(all, { text: mailLimits.body, html: room * meetingsShare });
  const rest = writeRest(meetings, included.length - entries.length);
  const groups = gatherTasks(included);
  const openTasks = textOpenTasks(groups, left.text);
  return {
    subject: cutText(title, mailLimits.subject),
    text: `${[`${title}\n${note}`, ...entries.map(({ text }) => text), ...rest, ...openTasks].join('\n\n')}\n\n${footer.text}`,
    html: htmlPage({
      ...page,
      sections: [
        ...entries.map(({ html }) => html),
        ...rest.map(htmlText),
        ...htmlOpenTasks(groups, room * (1 - meetingsShare) + left.html),
      ],
    }),
  };
}

type Reason = Extract<PeriodMeeting, { leftOut: unknown }>['leftOut'];

/** Sentences about meetings that are left out, in this order. */
const restWords: Readonly<Record<Reason, (meetings: string) => string>> = {
  too_many: (more) => `And ${more} more, for which there is no room here.`,
  not_ready: (some) => `Of ${some} the report was not ready yet.`,
  deleted: (some) => `Of ${some} the report was deleted.`,
  unreadable: (some) => `Of ${some} the report could not be read.`,
  not_read: (more) => `And ${more} that were not looked at: the period has too many.`,
};

const reasons = ['too_many', 'not_ready', 'deleted', 'unreadable', 'not_read'] as const;

/** Sentences about meetings that are left out; `unfitting` of them for lack of room. */
function writeRest(meetings: readonly PeriodMeeting[], unfitting: number): readonly string[] {
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
    .map((reason) => restWords[reason](count(amounts[reason], 'meeting')));
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
function writeEntry(digest: Digest, timeZone: string, link: string | undefined): Entry {
  const when = digest.startedAt === undefined ? undefined : formatLocalWhen(digest.startedAt, timeZone);
  const facts = [when, ...digest.facts].filter((fact) => fact !== undefined).join(' · ');
  const beginning = digest.isTranscriptEmpty ? 'Nothing was transcribed.' : cutSummary(digest);
  const tasks = listOpenGroups(digest.taskGroups).reduce((sum, group) => sum + group.tasks.length, 0);
  const counts = `${count(tasks, 'open task')}, ${count(digest.decisions.length, 'decision')}`;
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
      ...(link === undefined ? [] : [`Report: ${link}`]),
    ]
      .filter((line) => line !== '')
      .join('\n'),
    html: [
      htmlHeading(digest.title),
      ...(facts === '' ? [] : [htmlNote(facts)]),
      htmlText(beginning),
      ...(decisions === '' ? [] : [decisions]),
      htmlNote(counts),
      ...(link === undefined ? [] : [`<p style="margin:0 0 8px">${htmlLink(link, 'Open the report')}</p>`]),
    ].join('\n'),
  };
}

/** The beginning of the summary without its tables, of which a few rows would say less than nothing. */
function cutSummary({ summary }: Digest): string {
  const texts = summary.children.filter(({ type }) => type !== 'table');
  const children = texts.length === 0 ? summary.children : texts;
  const lines = plainText({ type: 'root', children })
    .split('\n')
    .filter((line) => line.trim() !== '');
  const beginning = cutText(lines.slice(0, summaryLimits.lines).join('\n'), summaryLimits.length);
  const isCut = children.length < summary.children.length || lines.length > summaryLimits.lines;
  return (isCut && !beginning.endsWith('…') ? `${beginning} …`.trim() : beginning) || noSummaryText;
}

/** The tasks of one owner from several meetings. */
interface OwnedTasks {
  readonly owner: string;
  readonly tasks: readonly { readonly task: DigestTask; readonly meeting: string }[];
}

const noOwner = 'No owner';

const title = 'Open tasks';

const cutNote = 'There are more tasks in the reports.';

/** Groups the open tasks of all meetings by owner, in order of appearance; tasks without an owner come last. */
function gatherTasks(digests: readonly Digest[]): readonly OwnedTasks[] {
  const owned = new Map<string, { task: DigestTask; meeting: string }[]>();
  for (const { title: meeting, taskGroups } of digests) {
    for (const { owner = noOwner, tasks } of listOpenGroups(taskGroups)) {
      const listed = owned.get(owner) ?? [];
      listed.push(...tasks.map((task) => ({ task, meeting })));
      owned.set(owner, listed);
    }
  }
  const groups = [...owned].map(([owner, tasks]) => ({ owner, tasks }));
  return [
    ...groups.filter(({ owner }) => owner !== noOwner),
    ...groups.filter(({ owner }) => owner === noOwner),
  ];
}

/** A table for each owner with as many rows as fit into `room` bytes. */
function htmlOpenTasks(groups: readonly OwnedTasks[], room: number): readonly Html[] {
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

/** The same as text of at most `room` characters. */
function textOpenTasks(groups: readonly OwnedTasks[], room: number): readonly string[] {
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

/** A generator, because most lines of a busy week are not needed. */
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

/** `1 meeting`, `2 meetings`. */
function count(amount: number, thing: string): string {
  return `${amount} ${thing}${amount === 1 ? '' : 's'}`;
}
