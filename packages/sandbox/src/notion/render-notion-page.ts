import { html, type Markup } from '../web/markup.ts';
import { renderPage } from '../web/render-page.ts';
import type { NotionPage } from './notion-page.ts';
import { renderNotionBlocks } from './page/render-notion-block.ts';
import { renderNotionProperty } from './page/render-notion-property.ts';

/** The page of the Notion stand-in: every page with its properties and its body, newest first. */
export function renderNotionPage(pages: readonly NotionPage[]): string {
  return renderPage({
    title: 'Notion stand-in',
    lead: 'What was created in the local Notion. Nothing left this machine.',
    body:
      pages.length === 0
        ? html`<p class="empty">No page yet. Point a Notion client at this address as its base address.</p>`
        : html`${pages.toReversed().map(renderOne)}`,
  });
}

function renderOne(page: NotionPage): Markup {
  const rows = Object.entries(page.properties)
    .filter(([, { type }]) => type !== 'title')
    .map(([name, property]) => ({ name, value: renderNotionProperty(property) }))
    .filter(({ value }) => value !== undefined);
  return html`<article class="card">
    <h1>${page.title === '' ? 'Untitled' : page.title}</h1>
    <table>
      ${rows.map(
        ({ name, value }) =>
          html`<tr>
            <th>${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
    </table>
    ${renderNotionBlocks(page.children)}
  </article>`;
}
