import type { AlertText } from '../alert-text.ts';
import { cutText } from '../text/cut-text.ts';
import { mailLimits, type MailMessage } from './mail-message.ts';
import { htmlHeading, htmlNote, htmlPage, htmlText } from './mail-page.ts';

/** An alert as one mail. Pure. */
export function renderMailAlert(alert: AlertText): MailMessage {
  const reason = alert.reason === undefined ? [] : [`Reason: ${alert.reason}`];
  return {
    subject: cutText(alert.headline, mailLimits.subject),
    text: `${[alert.headline, alert.explanation, ...reason, alert.ids].join('\n\n')}\n`,
    html: htmlPage(alert.headline, [
      htmlText(alert.explanation),
      ...(alert.reason === undefined ? [] : [htmlHeading('Reason'), htmlText(alert.reason)]),
      htmlNote(alert.ids),
    ]),
  };
}
