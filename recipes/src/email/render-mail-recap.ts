import type { Digest } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { continuesText, formatDigest, noSummaryText } from '../text/digest-text.ts';
import { formatMeetingWhen } from '../text/format-when.ts';
import { plainText } from '../text/plain-text.ts';
import { type Fitted, fitTree } from './fit-html.ts';
import { htmlDecisions } from './html-decisions.ts';
import { htmlTasks, listTaskRows } from './html-tasks.ts';
import { type MailFooter, writeFooter } from './mail-footer.ts';
import { mailLimits, type MailMessage } from './mail-message.ts';
import {
  type Html,
  htmlHeading,
  htmlNote,
  htmlPage,
  htmlText,
  type MailPage,
  pageLimit,
} from './mail-page.ts';

export interface RecapLook {
  /** Where the report is. */
  readonly link?: string | undefined;
  readonly footer?: MailFooter;
}

/** What each section may take at most of what is left when its turn comes. */
const shares = { summary: 0.5, decisions: 0.5, tasks: 0.9 };
/** For what is said at the end, and for a line that is put in when the mail leaves. */
const reserve = 1500;

const usualFooter = writeFooter('your address is on the list for recaps of meetings');

/** A recap as one mail, as text and as HTML that say the same. Pure. */
export function renderMailRecap(digest: Digest, look: RecapLook = {}): MailMessage {
  const { link, footer = usualFooter } = look;
  const text = formatDigest(digest, link);
  const fits = text.length <= mailLimits.body;
  const body = fits ? text : `${cutText(text, mailLimits.body)}\n\n${writeContinues(link)}`;
  return {
    subject: cutText(`Recap: ${digest.title}`, mailLimits.subject),
    text: `${body}\n\n${footer.text}`,
    html: renderPage(digest, { link, footer }),
    meetingId: digest.meetingId,
  };
}

function renderPage(
  digest: Digest,
  { link, footer }: { link: string | undefined; footer: MailFooter },
): Html {
  const page: MailPage = {
    eyebrow: 'Meeting recap',
    title: digest.title,
    preheader: writePreheader(digest),
    facts: [formatMeetingWhen(digest), ...digest.facts].filter((fact) => fact !== undefined).join(' · '),
    sections: [],
    ...(link === undefined ? {} : { link }),
    footer: footer.html,
  };
  const room = pageLimit - Buffer.byteLength(htmlPage(page)) - reserve;
  const { sections, isCut } = fitSections(digest, room);
  // The button is right below.
  const rest = isCut || digest.isCut ? [htmlNote(continuesText)] : [];
  return htmlPage({ ...page, sections: [...sections, ...rest] });
}

interface Section {
  readonly title: string;
  readonly share: number;
  readonly fit: (room: number) => Fitted;
}

function fitSections(
  digest: Digest,
  room: number,
): { readonly sections: readonly Html[]; readonly isCut: boolean } {
  const { summary, decisions, taskGroups } = digest;
  const hasSummary = summary.children.length > 0;
  const named: readonly Section[] = [
    ...(hasSummary
      ? [{ title: 'Summary', share: shares.summary, fit: (left: number) => fitTree(summary, left) }]
      : []),
    { title: 'Decisions', share: shares.decisions, fit: (left) => htmlDecisions(decisions, left) },
    { title: 'Tasks', share: shares.tasks, fit: (left) => htmlTasks(listTaskRows(taskGroups), left) },
    ...digest.sections.map(({ title, text }) => ({
      title,
      share: 1,
      fit: (left: number) => fitTree(text, left),
    })),
  ];
  const sections: Html[] = hasSummary ? [] : [htmlHeading('Summary'), htmlText(noSummaryText)];
  let left = room - Buffer.byteLength(sections.join('\n'));
  let isCut = false;
  for (const { title, share, fit } of named) {
    const heading = htmlHeading(title);
    const fitted = fit(left * share - Buffer.byteLength(heading) - 2);
    isCut ||= fitted.isCut;
    if (fitted.html === '') continue;
    sections.push(heading, fitted.html);
    left -= Buffer.byteLength(heading) + fitted.bytes + 2;
  }
  return { sections, isCut };
}

/** The line of an inbox behind the subject: the beginning of the summary. */
function writePreheader(digest: Digest): string {
  const words = plainText({ type: 'root', children: digest.summary.children.slice(0, 3) }).slice(0, 600);
  return cutText(words.replaceAll(/\s+/g, ' ').trim(), 140) || noSummaryText;
}

function writeContinues(link: string | undefined): string {
  return link === undefined ? continuesText : `${continuesText.replace(/\.$/, '')}: ${link}`;
}
