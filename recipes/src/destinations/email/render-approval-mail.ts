import { type ApprovalRequest, describeRequest } from '../../engine/approval-rules.ts';
import { cutText } from '../../report/clean-text.ts';
import { mailLimits, type MailMessage } from './compose-mail.ts';
import { htmlHeading, htmlNote, htmlText } from './mail-html.ts';
import { htmlPage, writeFooter } from './mail-page.ts';

const MAX_TEXT = 10_000;

const footer = writeFooter('your address is named as one that approves (approve: email)');

/** The mail that asks a person to approve another one. Its link shows it and has the button; nothing happens by opening it. */
export function renderApprovalMail(request: ApprovalRequest): MailMessage {
  const { recipe, to, subject, text, url } = request;
  const { headline, until } = describeRequest(request);
  const explanation = `The recipe ${recipe} wants to send this mail to ${to}.`;
  const how =
    url === undefined
      ? 'Approve or discard it in the console under Approvals, or with "aftermeet approvals list".'
      : `The link shows it, and approves it with one button, until ${until}. Only you should have it: who has it can approve.`;
  const shown = cutText(text.trim(), MAX_TEXT);
  const lines = [
    headline,
    explanation,
    ...(url === undefined ? [] : [url]),
    how,
    `Subject: ${subject}`,
    shown,
  ];
  return {
    subject: cutText(headline, mailLimits.subject),
    text: `${lines.join('\n\n')}\n\n${footer.text}`,
    html: htmlPage({
      eyebrow: 'Needs a look',
      title: headline,
      preheader: explanation,
      facts: '',
      sections: [htmlText(explanation), htmlNote(how), htmlHeading(subject), htmlText(shown)],
      ...(url === undefined ? {} : { link: url, linkText: 'See it and approve it' }),
      footer: footer.html,
    }),
  };
}
