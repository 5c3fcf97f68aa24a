import { formatTask, type Digest } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { continuesText, formatDigest, noSummaryText } from '../text/digest-text.ts';
import { formatWhen } from '../text/format-when.ts';
import { mailLimits, type MailMessage } from './mail-message.ts';
import { type Html, htmlHeading, htmlLink, htmlNote, htmlPage, htmlStrong, htmlText } from './mail-page.ts';

/** A recap as one mail, as text and as HTML that say the same. Pure. */
export function renderMailRecap(digest: Digest, link?: string): MailMessage {
  const text = formatDigest(digest, link);
  const fits = text.length <= mailLimits.body;
  return {
    subject: cutText(`Recap: ${digest.title}`, mailLimits.subject),
    text: fits ? `${text}\n` : `${cutText(text, mailLimits.body)}\n\n${continuesText}\n`,
    html: htmlPage(digest.title, renderSections(digest, link)),
  };
}

function renderSections(digest: Digest, link: string | undefined): Html[] {
  const when = digest.startedAt === undefined ? undefined : formatWhen(digest.startedAt);
  const facts = [when, ...digest.facts].filter((fact) => fact !== undefined);
  const summary = cutText(digest.summary || noSummaryText, mailLimits.body / 2);
  const items = fitItems(digest);
  const isCut = digest.isCut || items.isCut || summary.length < digest.summary.length;
  return [
    ...(facts.length === 0 ? [] : [htmlNote(facts.join(' · '))]),
    htmlHeading('Summary'),
    htmlText(summary),
    ...items.sections,
    ...(isCut ? [htmlNote(continuesText)] : []),
    ...(link === undefined ? [] : [htmlLink(link, 'Open the report')]),
  ];
}

/** Decisions and tasks, as many as half of the room holds. */
function fitItems(digest: Digest): { readonly sections: Html[]; readonly isCut: boolean } {
  const decisions = digest.decisions.map((item) => htmlText(`• ${item.replaceAll('\n', ' ')}`));
  const tasks = digest.taskGroups.flatMap((group) => [
    htmlStrong(group.owner ?? 'No owner'),
    ...group.tasks.map((task) => htmlText(`• ${formatTask(task).replaceAll('\n', ' ')}`)),
  ]);
  const all = [
    ...(decisions.length === 0 ? [] : [htmlHeading('Decisions'), ...decisions]),
    ...(tasks.length === 0 ? [] : [htmlHeading('Tasks'), ...tasks]),
  ];
  let room: number = mailLimits.body;
  const sections = all.filter((section) => {
    room -= section.length;
    return room >= 0;
  });
  return { sections, isCut: sections.length < all.length };
}
