import { arrangeDigest, type Arrangement, type MessagePart } from '../../report/arrange.ts';
import { cutText } from '../../report/clean-text.ts';
import type { Digest } from '../../report/digest.ts';
import { formatMeetingWhen } from '../../report/format-when.ts';
import { formatDigest, writeFacts } from '../../report/plain-digest.ts';
import { plainText } from '../../report/plain-text.ts';
import type { TaskGroup } from '../../report/tasks.ts';
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
  htmlLead,
  htmlNote,
} from './mail-html.ts';
import { htmlPage, type MailFooter, type MailPage, MAX_PAGE_BYTES, writeFooter } from './mail-page.ts';

export interface FollowUpLook extends Partial<Look>, Arrangement {
  /** With `{title}` and `{when}` in place of those of the meeting. Default: `Recap: {title}`. */
  readonly subject?: string | undefined;
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
  const text = formatDigest(digest, link, whole, look);
  const fits = text.length <= mailLimits.body;
  const body = fits ? text : `${cutText(text, mailLimits.body)}\n\n${writeContinues(link, words)}`;
  return {
    subject: writeSubject(digest, whole),
    text: [body, look.note, footer.text].filter((part) => part !== undefined).join('\n\n'),
    html: renderPage(digest, whole),
    meetingId: digest.meetingId,
  };
}

function writeSubject(digest: Digest, look: FollowUpLook & Look): string {
  const { subject, words } = look;
  if (subject === undefined) return cutText(words.recapSubject(digest.title), mailLimits.subject);
  const values: Readonly<Record<string, string>> = {
    title: digest.title,
    when: formatMeetingWhen(digest, look) ?? '',
  };
  const filled = subject.replaceAll(/\{(title|when)\}/g, (slot, name: string) => values[name] ?? slot);
  return cutText(filled.trim(), mailLimits.subject);
}

function renderPage(digest: Digest, look: FollowUpLook & Look & { readonly footer: MailFooter }): Html {
  const { link, footer, note, words } = look;
  const { outcome, parts } = arrangeDigest(digest, words, look);
  const end = note === undefined ? [] : [htmlNote(note)];
  const page: MailPage = {
    words,
    eyebrow: words.meetingRecap,
    title: digest.title,
    preheader: writePreheader(digest, words),
    ...(outcome === undefined ? {} : { lead: htmlLead(outcome) }),
    facts: writeFacts(digest, look),
    sections: end,
    ...(link === undefined ? {} : { link }),
    footer: footer.html,
  };
  const room = MAX_PAGE_BYTES - Buffer.byteLength(htmlPage(page)) - RESERVED_BYTES;
  const { sections, isCut } = fitSections(parts, room, words);
  // The button follows directly below.
  const rest = isCut || digest.isCut ? [htmlNote(words.continuesInReport)] : [];
  return htmlPage({ ...page, sections: [...sections, ...end, ...rest] });
}

interface Section {
  readonly title: string;
  readonly share: number;
  readonly fit: (room: number) => Fitted;
}

function toSections(part: MessagePart, words: Words): readonly Section[] {
  switch (part.kind) {
    case 'summary':
      return [{ title: part.title, share: shares.summary, fit: (left) => fitTree(part.text, left) }];
    case 'decisions':
      return [
        { title: part.title, share: shares.decisions, fit: (left) => htmlDecisions(part.decisions, left) },
      ];
    case 'tasks':
      return [
        {
          title: part.title,
          share: shares.tasks,
          fit: (left) =>
            htmlTasks(listTaskRows(part.isOwn ? dropOwners(part.groups) : part.groups), left, words),
        },
      ];
    case 'more':
    default:
      return part.sections.map(({ title, text }) => ({
        title,
        share: 1,
        fit: (left) => fitTree(text, left),
      }));
  }
}

function dropOwners(groups: readonly TaskGroup[]): readonly TaskGroup[] {
  return groups.map(({ tasks }) => ({ tasks }));
}

function fitSections(
  parts: readonly MessagePart[],
  room: number,
  words: Words,
): { readonly sections: readonly Html[]; readonly isCut: boolean } {
  const sections: Html[] = [];
  let left = room;
  let isCut = false;
  for (const { title, share, fit } of parts.flatMap((part) => toSections(part, words))) {
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
