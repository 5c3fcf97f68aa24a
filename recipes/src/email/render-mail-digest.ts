import type { Digest } from '../digest.ts';
import type { Period, PeriodMeeting } from '../recipe.ts';
import { cutText } from '../text/cut-text.ts';
import { noSummaryText } from '../text/digest-text.ts';
import { formatLocalWhen } from '../text/format-when.ts';
import { mailLimits, type MailMessage } from './mail-message.ts';
import { type Html, htmlHeading, htmlLink, htmlNote, htmlPage, htmlText } from './mail-page.ts';

/** What is told of one meeting, as text and as HTML that say the same. */
interface Entry {
  readonly text: string;
  readonly html: Html;
}

const summaryLimits = { lines: 3, length: 400 };

/**
 * The meetings of a period as one mail, in the order given: title, time, the beginning of the summary, how many tasks
 * and decisions. Those that are left out are counted, with the reason. Pure.
 */
export function renderMailDigest(
  meetings: readonly PeriodMeeting[],
  period: Period,
  timeZone: string,
  linkTo: (meetingId: string) => string | undefined,
): MailMessage {
  const from = formatLocalWhen(period.fromMs, timeZone) ?? '';
  const to = formatLocalWhen(period.toMs, timeZone) ?? '';
  const title = `${count(meetings.length, 'meeting')} since ${from}`;
  const note = `${from} to ${to} (${timeZone})`;
  const told = meetings.flatMap((meeting) => ('digest' in meeting ? [meeting.digest] : []));
  const entries = takeFitting(told.map((digest) => writeEntry(digest, timeZone, linkTo(digest.meetingId))));
  const rest = writeRest(meetings, told.length - entries.length);
  return {
    subject: cutText(title, mailLimits.subject),
    text: `${[`${title}\n${note}`, ...entries.map(({ text }) => text), ...rest].join('\n\n')}\n`,
    html: htmlPage(title, [htmlNote(note), ...entries.map(({ html }) => html), ...rest.map(htmlText)]),
  };
}

type Reason = Extract<PeriodMeeting, { leftOut: unknown }>['leftOut'];

/** What is said of the meetings that are left out, in this order. */
const restWords: Readonly<Record<Reason, (meetings: string) => string>> = {
  too_many: (more) => `And ${more} more, for which there is no room here.`,
  not_ready: (some) => `Of ${some} the report was not ready yet.`,
  deleted: (some) => `Of ${some} the report was deleted.`,
  unreadable: (some) => `Of ${some} the report could not be read.`,
};
const reasons = ['too_many', 'not_ready', 'deleted', 'unreadable'] as const;

/** Why some of the meetings are not told of; `unfitting` of them because the mail has no room. */
function writeRest(meetings: readonly PeriodMeeting[], unfitting: number): readonly string[] {
  const amounts: Record<Reason, number> = { too_many: unfitting, not_ready: 0, deleted: 0, unreadable: 0 };
  for (const meeting of meetings) if ('leftOut' in meeting) amounts[meeting.leftOut] += 1;
  return reasons
    .filter((reason) => amounts[reason] > 0)
    .map((reason) => restWords[reason](count(amounts[reason], 'meeting')));
}

function writeEntry(digest: Digest, timeZone: string, link: string | undefined): Entry {
  const when = digest.startedAt === undefined ? undefined : formatLocalWhen(digest.startedAt, timeZone);
  const facts = [when, ...digest.facts].filter((fact) => fact !== undefined).join(' · ');
  const beginning = digest.isTranscriptEmpty ? 'Nothing was transcribed.' : cutSummary(digest.summary);
  const tasks = digest.taskGroups.reduce((sum, group) => sum + group.tasks.length, 0);
  const counts = `${count(tasks, 'task')}, ${count(digest.decisions.length, 'decision')}`;
  return {
    text: [digest.title, facts, beginning, counts, ...(link === undefined ? [] : [`Report: ${link}`])]
      .filter((line) => line !== '')
      .join('\n'),
    html: [
      htmlHeading(digest.title),
      ...(facts === '' ? [] : [htmlNote(facts)]),
      htmlText(beginning),
      htmlNote(counts),
      ...(link === undefined ? [] : [htmlLink(link, 'Open the report')]),
    ].join('\n'),
  };
}

function cutSummary(summary: string): string {
  const lines = summary.split('\n').filter((line) => line.trim() !== '');
  const beginning = lines.slice(0, summaryLimits.lines).join('\n');
  return cutText(beginning, summaryLimits.length) || noSummaryText;
}

/** As many as a mail has room for, from the first one on. */
function takeFitting(entries: readonly Entry[]): readonly Entry[] {
  let text = 0;
  let html = 0;
  const end = entries.findIndex((entry) => {
    text += entry.text.length;
    html += entry.html.length;
    return text > mailLimits.body || html > 2 * mailLimits.body;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

function count(amount: number, thing: string): string {
  return `${amount} ${thing}${amount === 1 ? '' : 's'}`;
}
