import { html, Markup } from './markup.ts';
import { pageStyle } from './page-style.ts';

/** Every page's headers: no script can run, nothing is loaded, nobody can frame it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

export interface Page {
  readonly title: string;
  /** One line under the title: what this is. */
  readonly lead: string;
  readonly body: Markup;
}

// The style sheet is a constant of ours: escaping would break its quotes.
const styleMarkup = new Markup([pageStyle], []);

/** A whole page as text. */
export function renderPage(page: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title}</title>
        <style>
          ${styleMarkup}
        </style>
      </head>
      <body>
        <main>
          <h1>${page.title}</h1>
          <p class="lead">${page.lead}</p>
          ${page.body}
        </main>
      </body>
    </html>`.text;
}
