import { html, type Markup } from '../web/markup.ts';
import { renderPage } from '../web/render-page.ts';
import { readTree } from './blocks/describe-block.ts';
import { workspacePageId } from './notion-ids.ts';
import { isInTrash, type NotionWorld } from './notion-world.ts';
import { renderNotionBlocks, renderNotionIcon } from './page/render-notion-block.ts';
import { renderNotionProperty } from './page/render-notion-property.ts';
import type { NotionPage } from './pages/notion-page.ts';

/** How many pages are shown: the newest. */
const shownPages = 200;

/** The page of the Notion stand-in: every page with its properties and what is in it, newest first. */
export function renderNotionPage(world: NotionWorld): string {
  const pages = [...world.pages.values()].filter(({ id }) => id !== workspacePageId).toReversed();
  const hidden = pages.length - shownPages;
  return renderPage({
    title: 'Notion stand-in',
    lead: 'What was created in the local Notion. Nothing left this machine.',
    body:
      pages.length === 0
        ? html`<p class="empty">No page yet. Point a Notion client at this address as its base address.</p>`
        : html`${pages.slice(0, shownPages).map((page) => renderOne(world, page))}
          ${hidden > 0 && html`<p class="soft">And ${hidden} older ones.</p>`}`,
  });
}

function renderOne(world: NotionWorld, page: NotionPage): Markup {
  const titleOf = (id: string): string => nameTitle(world.pages.get(id));
  const rows = Object.entries(page.properties)
    .filter(([, { type }]) => type !== 'title')
    .map(([name, property]) => ({ name, value: renderNotionProperty(property, titleOf) }))
    .filter(({ value }) => value !== undefined);
  return html`<article class="card">
    <p class="soft small">
      ${namePlace(world, page)} · ${page.lastEditedTime.slice(0, 16).replace('T', ' ')} UTC
      ${isInTrash(world, page.id) && html` <span class="pill bad">in the trash</span>`}
    </p>
    <h1>${renderNotionIcon(page.icon)}${nameTitle(page)}</h1>
    <table>
      ${rows.map(
        ({ name, value }) =>
          html`<tr>
            <th>${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
    </table>
    ${renderNotionBlocks(readTree(world, page.id))}
  </article>`;
}

function nameTitle(page: NotionPage | undefined): string {
  return page === undefined || page.title === '' ? 'Untitled' : page.title;
}

/** The data source or the page that it is in. */
function namePlace(world: NotionWorld, { parent, dataSourceId }: NotionPage): string {
  if (parent.type === 'page_id') return `in ${nameTitle(world.pages.get(parent.page_id))}`;
  return world.sources.get(dataSourceId)?.name ?? 'Workspace';
}
