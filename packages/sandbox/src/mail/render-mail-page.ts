import { html, type Markup } from '../web/markup.ts';
import { renderPage } from '../web/render-page.ts';
import type { ReceivedMail } from './read-mail.ts';

/** The page of the mail stand-in: every mail as its reader would see it, newest first. */
export function renderMailPage(mails: readonly ReceivedMail[]): string {
  return renderPage({
    title: 'Mail stand-in',
    lead: 'What was sent to the local mail server. Nothing left this machine.',
    body:
      mails.length === 0
        ? html`<p class="empty">
            No mail yet. Point a mail client at this machine's SMTP port, without TLS.
          </p>`
        : html`${mails.toReversed().map(renderMail)}`,
  });
}

function renderMail(mail: ReceivedMail): Markup {
  return html`<article class="card">
    <p class="row small soft">
      <span>${mail.from}</span><span class="end">${mail.receivedAt.slice(0, 19).replace('T', ' ')} UTC</span>
    </p>
    <h3>${mail.subject === '' ? '(no subject)' : mail.subject}</h3>
    <p class="small soft">To ${mail.envelope.to.join(', ')}</p>
    ${mail.html === undefined ? html`<p class="box">${mail.text}</p>` : renderHtmlPart(mail)}
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

/** A sandboxed frame runs no script, sends no form and, under the page's own policy, loads nothing. */
function renderHtmlPart(mail: ReceivedMail): Markup {
  return html`<iframe sandbox="" title="The mail" srcdoc="${mail.html ?? ''}"></iframe>
    <details class="small">
      <summary>As plain text</summary>
      <pre>${mail.text}</pre>
    </details>`;
}
