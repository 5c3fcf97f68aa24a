import type { AlertText } from '../alert-text.ts';
import { cutText } from '../text/cut-text.ts';
import { mailLimits, type MailMessage } from './mail-message.ts';
import { htmlHeading, htmlNote, htmlPage, htmlText } from './mail-page.ts';

/** An alert as one mail. Pure. */
export function renderMailAlert({ headline, explanation, reason, advice, ids }: AlertText): MailMessage {
  const parts = [
    ...(reason === undefined ? [] : [{ name: 'Reason', text: reason }]),
    ...(advice === undefined ? [] : [{ name: 'What to do', text: advice }]),
  ];
  const lines = [headline, explanation, ...parts.map(({ name, text }) => `${name}: ${text}`), ids];
  return {
    subject: cutText(headline, mailLimits.subject),
    text: `${lines.join('\n\n')}\n`,
    html: htmlPage(headline, [
      htmlText(explanation),
      ...parts.flatMap(({ name, text }) => [htmlHeading(name), htmlText(text)]),
      htmlNote(ids),
    ]),
  };
}
