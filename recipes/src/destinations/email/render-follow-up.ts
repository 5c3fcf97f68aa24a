import { cutText } from '../../report/clean-text.ts';
import type { Digest } from '../../report/digest.ts';
import { formatDigest, writeFacts } from '../../report/plain-digest.ts';
import { plainText } from '../../report/plain-text.ts';
import { en, type Words } from '../../words/en.ts';
import type { Look } from '../../words/index.ts';
import { localizeDigest } from '../../words/localize-digest.ts';
import { mailLimits, type MailMessage } from './compose-mail.ts';
import {
  type Fitted,
  fitTree,
  htmlDecisions,
  htmlTasks,
  listTaskRows,
  type Html,
  htmlHeading,
  htmlNote,
  htmlText,
} from './mail-html.ts';
import { htmlPage, type MailFooter, type MailPage, MAX_PAGE_BYTES, writeFooter } from './mail-page.ts';

export interface FollowUpLook extends Partial<Look> {
  /** Address of the report. */
  readonly link?: string | undefined;
  readonly footer?: MailFooter;
  /** The last words before the footer. */
  readonly note?: string | undefined;
}

/** Maximum share of the remaining room for each section. */
const shares = { summary: 0.5, decisions: 0.5, tasks: 0.9 };
/** Bytes for the end of the mail and for notes that are added when it is sent. */
const RESERVED_BYTES = 1500;

const DEFAULT_FOOTER = writeFooter('your address is on the list for recaps of meetings');

/** Renders the mail of a meeting as text and HTML with the same content. Pure. */
export function renderFollowUp(given: Digest, look: FollowUpLook = {}): MailMessage {
  const { link, footer = DEFAULT_FOOTER, words = en } = look;
  const whole = { ...look, footer, words };
  const digest = localizeDigest(given, words);
  const text = formatDigest(digest, link, whole);
  const fits = text.length <= mailLimits.body;
  const body = fits ? text : `${cutText(text, mailLimits.body)}\n\n${writeContinues(link, words)}`;
  return {
    subject: cutText(words.recapSubject(digest.title), mailLimits.subject),
    text: [body, look.note, footer.text].filter((part) => part !== undefined).join('\n\n'),
    html: renderPage(digest, whole),
    meetingId: digest.meetingId,
  };
}

function renderPage(digest: Digest, look: FollowUpLook & Look & { readonly footer: MailFooter }): Html {
  const { link, footer, note, words } = look;
  const end = note === undefined ? [] : [htmlNote(note)];
  const page: MailPage = {
    words,
    eyebrow: words.meetingRecap,
    title: digest.title,
    preheader: writePreheader(digest, words),
    facts: writeFacts(digest, look),
    sections: end,
    ...(link === undefined ? {} : { link }),
    footer: footer.html,
  };
  const room = MAX_PAGE_BYTES - Buffer.byteLength(htmlPage(page)) - RESERVED_BYTES;
  const { sections, isCut } = fitSections(digest, room, words);
  // The button follows directly below.
  const rest = isCut || digest.isCut ? [htmlNote(words.continuesInReport)] : [];
  return htmlPage({ ...page, sections: [...sections, ...end, ...rest] });
}

interface Section {
  readonly title: string;
  readonly share: number;
  readonly fit: (room: number) => Fitted;
}

function fitSections(
  digest: Digest,
  room: number,
  words: Words,
): { readonly sections: readonly Html[]; readonly isCut: boolean } {
  const { summary, decisions, taskGroups } = digest;
  const hasSummary = summary.children.length > 0;
  const named: readonly Section[] = [
    ...(hasSummary
      ? [{ title: words.summary, share: shares.summary, fit: (left: number) => fitTree(summary, left) }]
      : []),
    { title: words.decisions, share: shares.decisions, fit: (left) => htmlDecisions(decisions, left) },
    {
      title: words.tasks,
      share: shares.tasks,
      fit: (left) => htmlTasks(listTaskRows(taskGroups), left, words),
    },
    ...digest.sections.map(({ title, text }) => ({
      title,
      share: 1,
      fit: (left: number) => fitTree(text, left),
    })),
  ];
  const sections: Html[] = hasSummary ? [] : [htmlHeading(words.summary), htmlText(words.noSummary)];
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

/** The preview line of an inbox: the beginning of the summary. */
function writePreheader(digest: Digest, words: Words): string {
  const beginning = plainText({ type: 'root', children: digest.summary.children.slice(0, 3) }).slice(0, 600);
  return cutText(beginning.replaceAll(/\s+/g, ' ').trim(), 140) || words.noSummary;
}

function writeContinues(link: string | undefined, words: Words): string {
  return link === undefined ? words.continuesInReport : words.continuesAt(link);
}
