import { html, Markup } from './markup.ts';
import { pageStyle } from './page-style.ts';

/** No script can run, nothing is loaded. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'";

/** Every page's headers: what its policy says, and nobody can frame it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentPolicy,
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
  /** It is kept as a file: no header comes with it, so it holds its policy itself. */
  readonly isFile?: boolean;
}

// The style sheet is a constant of ours: escaping would break its quotes.
const styleMarkup = new Markup([pageStyle], []);

/** A whole page as text. */
export function renderPage(page: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${page.isFile === true && html`<meta http-equiv="Content-Security-Policy" content="${contentPolicy}" />`}
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
