import type { Period, PeriodMeeting } from '../recipe.ts';
import { cutText } from '../text/cut-text.ts';
import { formatLocalWhen } from '../text/format-when.ts';
import { count } from './count.ts';
import { type Entry, writeEntry } from './digest-entry.ts';
import { gatherTasks, htmlOpenTasks, textOpenTasks } from './digest-tasks.ts';
import { type MailFooter, writeFooter } from './mail-footer.ts';
import { mailLimits, type MailMessage } from './mail-message.ts';
import { htmlPage, htmlText, type MailPage, pageLimit } from './mail-page.ts';

const usualFooter = writeFooter('your address is on the list for digests of meetings');

/** Of the room for meetings: what the meetings themselves may take, so that some is left for their tasks. */
const meetingsShare = 0.75;
/** For what is said at the end. */
const reserve = 1500;

/**
 * The meetings of a period as one mail, in the order given: title, time, the beginning of the summary, how many tasks
 * and decisions; behind them all their tasks by owner. Meetings that are left out are counted, with the reason. Pure.
 */
export function renderMailDigest(
  meetings: readonly PeriodMeeting[],
  period: Period,
  timeZone: string,
  linkTo: (meetingId: string) => string | undefined,
  footer: MailFooter = usualFooter,
): MailMessage {
  const from = formatLocalWhen(period.fromMs, timeZone) ?? '';
  const to = formatLocalWhen(period.toMs, timeZone) ?? '';
  const title = `${count(meetings.length, 'meeting')} since ${from}`;
  const note = `${from} to ${to} (${timeZone})`;
  const told = meetings.flatMap((meeting) => ('digest' in meeting ? [meeting.digest] : []));
  const page: MailPage = {
    eyebrow: 'Meeting digest',
    title,
    preheader: cutText(told.map((digest) => digest.title).join(', '), 140),
    facts: note,
    sections: [],
    footer: footer.html,
  };
  const room = pageLimit - Buffer.byteLength(htmlPage(page)) - reserve;
  const all = told.map((digest) => writeEntry(digest, timeZone, linkTo(digest.meetingId)));
  const { entries, left } = takeFitting(all, { text: mailLimits.body, html: room * meetingsShare });
  const rest = writeRest(meetings, told.length - entries.length);
  const groups = gatherTasks(told);
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

interface Room {
  /** Characters. */
  readonly text: number;
  /** Bytes. */
  readonly html: number;
}

/** As many as a mail has room for, from the first one on, and what room they leave. */
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
