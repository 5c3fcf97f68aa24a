import type { AlertText } from '../../engine/alert-text.ts';
import { cutText } from '../../report/clean-text.ts';
import { mailLimits, type MailMessage } from './compose-mail.ts';
import { htmlHeading, htmlNote, htmlText } from './mail-html.ts';
import { htmlPage, type MailFooter, writeFooter } from './mail-page.ts';

export interface AlertLook {
  /** Number of suppressed alerts of this kind since the last one. */
  readonly suppressed?: number | undefined;
  readonly footer?: MailFooter;
}

const DEFAULT_FOOTER = writeFooter('your address is on the list for alerts');

/** Renders an alert as one mail. Pure. */
export function renderMailAlert(alert: AlertText, look: AlertLook = {}): MailMessage {
  const { headline, explanation, reason, advice, ids } = alert;
  const { suppressed = 0, footer = DEFAULT_FOOTER } = look;
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
