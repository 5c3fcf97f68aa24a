import { html } from '../../../web/markup.ts';
import { renderPage } from '../../../web/render-page.ts';

/** What a browser shows when a form of the page was refused; nothing has changed then. */
export function renderRefusalPage(message: string): string {
  return renderPage({
    title: 'Not done',
    lead: 'The sandbox refused this, and nothing has changed.',
    body: html`<p class="callout">${message}</p>
      <p><a class="button" href="/_sandbox">Back to the sandbox</a></p>`,
  });
}
