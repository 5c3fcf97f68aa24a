import type { AlertText } from '../alert-text.ts';
import { cutText } from '../text/cut-text.ts';
import { type MailFooter, writeFooter } from './mail-footer.ts';
import { mailLimits, type MailMessage } from './mail-message.ts';
import { htmlHeading, htmlNote, htmlPage, htmlText } from './mail-page.ts';

export interface AlertLook {
  /** How many alerts of its kind were not sent since the last one. */
  readonly suppressed?: number | undefined;
  readonly footer?: MailFooter;
}

const usualFooter = writeFooter('your address is told of what goes wrong');

/** An alert as one mail. Pure. */
export function renderMailAlert(alert: AlertText, look: AlertLook = {}): MailMessage {
  const { headline, explanation, reason, advice, ids } = alert;
  const { suppressed = 0, footer = usualFooter } = look;
  const parts = [
    ...(reason === undefined ? [] : [{ name: 'Reason', text: reason }]),
    ...(advice === undefined ? [] : [{ name: 'What to do', text: advice }]),
  ];
  const more = suppressed === 0 ? [] : [writeSuppressed(suppressed)];
  const lines = [headline, explanation, ...parts.map(({ name, text }) => `${name}: ${text}`), ...more, ids];
  return {
    subject: cutText(headline, mailLimits.subject),
    text: `${lines.join('\n\n')}\n\n${footer.text}`,
    html: htmlPage({
      eyebrow: 'Needs a look',
      title: headline,
      preheader: explanation,
      facts: '',
      sections: [
        htmlText(explanation),
        ...parts.flatMap(({ name, text }) => [htmlHeading(name), htmlText(text)]),
        ...more.map(htmlText),
        htmlNote(ids),
      ],
      footer: footer.html,
    }),
  };
}

function writeSuppressed(suppressed: number): string {
  return suppressed === 1
    ? 'One more alert of this kind was not sent since the last one.'
    : `${suppressed} more alerts of this kind were not sent since the last one.`;
}
