import { html, type Markup, renderPage } from '@aftermeet/pages';

import type { ReceivedMail } from './received-mail.ts';

/** The page of the emulator: mails as their readers see them, newest first. */
export function renderMailPage(mails: readonly ReceivedMail[]): string {
  return renderPage({
    title: 'Mail emulator',
    lead: 'Mails sent to the local mail server. Nothing left this machine.',
    body:
      mails.length === 0
        ? html`<p class="empty">
            No mail yet. Point a mail client at this machine's SMTP port, without TLS.
          </p>`
        : html`${mails.toReversed().map(renderMail)}`,
  });
}

function renderMail(mail: ReceivedMail): Markup {
  const time = mail.receivedAt.slice(0, 19).replace('T', ' ');
  return html`<article class="card">
    <p class="row small soft"><span>${mail.from}</span><span class="end">${time} UTC</span></p>
    <h3>${mail.subject === '' ? '(no subject)' : mail.subject}</h3>
    <p class="small soft">To ${mail.envelope.to.join(', ')}</p>
    ${mail.html === undefined ? html`<p class="box">${mail.text}</p>` : renderHtmlPart(mail.html, mail.text)}
    ${
      mail.attachments.length > 0 &&
      html`<p class="small">
        ${mail.attachments.map(
          ({ name, contentType, sizeBytes }) =>
            html`<span class="pill">${name === '' ? contentType : name} · ${sizeBytes} bytes</span> `,
        )}
      </p>`
    }
    <details class="small">
      <summary>Headers</summary>
      <pre>${mail.headers.map(({ name, value }) => `${name}: ${value}\n`)}</pre>
    </details>
  </article>`;
}

/** The sandboxed frame runs no script, sends no form and, under the page's policy, loads nothing. */
function renderHtmlPart(part: string, text: string): Markup {
  return html`<iframe sandbox="" title="The mail" srcdoc="${part}"></iframe>
    <details class="small">
      <summary>As plain text</summary>
      <pre>${text}</pre>
    </details>`;
}
