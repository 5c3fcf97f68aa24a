import { html, type Markup } from '@aftermeet/pages';

import type { MailMessage } from './compose-mail.ts';

/** A mail as its reader sees it. The sandboxed frame runs no script, sends no form and, under the page's policy, loads nothing. */
export function drawMail({ subject, text, html: body, attach = [], calendar }: MailMessage): Markup {
  const dates = listDates(calendar);
  return html`<h3>${subject}</h3>
    ${attach.length > 0 && html`<p class="small soft">Attached: ${attach.join(', ')}</p>`}
    ${dates.length > 0 && html`<p class="small soft box">Calendar: ${dates.join('\n')}</p>`}
    <iframe sandbox="" title="The mail" srcdoc="${body}"></iframe>
    <details class="small">
      <summary>As plain text</summary>
      <pre>${text}</pre>
    </details>`;
}

/** Its subject, what is attached, and its plain text. */
export function writeMail({ subject, text, attach = [], calendar }: MailMessage): string {
  const facts = [
    subject,
    ...(attach.length > 0 ? [`Attached: ${attach.join(', ')}`] : []),
    ...listDates(calendar).map((date) => `Calendar: ${date}`),
  ];
  return `${facts.join('\n')}\n\n${text}`;
}

function listDates(calendar: MailMessage['calendar'] = []): readonly string[] {
  return calendar.map(({ date, summary }) => `${date} ${summary}`);
}
