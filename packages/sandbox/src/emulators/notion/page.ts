import {
  html,
  type Markup,
  renderLink,
  renderNotionBlocks,
  renderNotionIcon,
  renderNotionText,
  renderPage,
  toObject,
  toObjects,
  toText,
} from '@aftermeet/pages';

import { readTree } from './blocks.ts';
import { isInTrash, type NotionPage, type NotionProperty, type NotionState } from './state.ts';

const maxShown = 200;

/** The page of the emulator: pages with their properties and content, newest first. */
export function renderNotionPage(state: NotionState): string {
  const pages = [...state.pages.values()].toReversed();
  const hidden = pages.length - maxShown;
  return renderPage({
    title: 'Notion emulator',
    lead: 'Pages created in the local Notion. Nothing left this machine.',
    body:
      pages.length === 0
        ? html`<p class="empty">No page yet. Point a Notion client at this address as its base address.</p>`
        : html`${pages.slice(0, maxShown).map((page) => renderOne(state, page))}
          ${hidden > 0 && html`<p class="soft">And ${hidden} older ones.</p>`}`,
  });
}

function renderOne(state: NotionState, page: NotionPage): Markup {
  const rows = Object.entries(page.properties)
    .filter(([, { type }]) => type !== 'title')
    .map(([name, property]) => ({ name, value: renderProperty(property, state) }))
    .filter(({ value }) => value !== undefined);
  return html`<article class="card">
    <p class="soft small">
      ${state.sources.get(page.dataSourceId)?.name ?? ''} ·
      ${page.lastEditedTime.slice(0, 16).replace('T', ' ')} UTC
      ${isInTrash(state, page.id) && html` <span class="pill bad">in the trash</span>`}
    </p>
    <h1>${renderNotionIcon(page.icon)}${titleOf(page)}</h1>
    <table>
      ${rows.map(
        ({ name, value }) =>
          html`<tr>
            <th>${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
    </table>
    ${renderNotionBlocks(readTree(state, page.id))}
  </article>`;
}

function titleOf(page: NotionPage | undefined): string {
  return page === undefined || page.title === '' ? 'Untitled' : page.title;
}

/** Undefined for an empty value. */
function renderProperty({ type, value }: NotionProperty, { pages }: NotionState): Markup | undefined {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  switch (type) {
    case 'title':
    case 'rich_text':
      return renderNotionText(value);
    case 'select':
    case 'status':
      return renderPills([toText(toObject(value)['name'])]);
    case 'multi_select':
    case 'people':
    case 'files':
      return renderPills(toObjects(value).map(({ name }) => toText(name)));
    case 'relation':
      return renderPills(toObjects(value).map(({ id }) => titleOf(pages.get(toText(id)))));
    case 'date': {
      const { start, end } = toObject(value);
      return html`${formatDate(start)}${toText(end) !== '' && html` → ${formatDate(end)}`}`;
    }
    case 'checkbox':
      return html`${value === true ? '☑' : '☐'}`;
    case 'url':
      return renderLink(toText(value), toText(value));
    case 'number':
    case 'email':
    case 'phone_number':
      return html`${toText(value)}`;
    default:
      return type satisfies never;
  }
}

function renderPills(names: readonly string[]): Markup {
  return html`${names.map((name) => html`<span class="pill">${name}</span> `)}`;
}

/** A day as it is; a time to the minute, with its offset if it has one. */
function formatDate(value: unknown): string {
  return toText(value)
    .replace(/T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?/, ' $1')
    .replace(/Z$/, ' UTC');
}
