import { html, type Markup } from '../../web/markup.ts';
import { readList, readParts, readText } from '../../web/read-parts.ts';
import { renderLink } from '../../web/render-link.ts';
import type { NotionProperty } from '../pages/notion-page.ts';
import { renderNotionText } from './render-notion-text.ts';

/** A property's value as people see it; nothing where it is empty. `titleOf` names the page that a relation points to. */
export function renderNotionProperty(
  { type, value }: NotionProperty,
  titleOf: (pageId: string) => string,
): Markup | undefined {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  const kind: string = type;
  switch (kind) {
    case 'title':
    case 'rich_text':
      return renderNotionText(value);
    case 'select':
    case 'status':
      return renderPill(readText(readParts(value)['name']));
    case 'multi_select':
    case 'people':
    case 'files':
      return renderPills(readList(value).map(({ name }) => readText(name)));
    case 'relation':
      return renderPills(readList(value).map(({ id }) => titleOf(readText(id))));
    case 'date':
      return renderDate(value);
    case 'checkbox':
      return html`${value === true ? '☑' : '☐'}`;
    case 'url':
      return renderLink(readText(value), readText(value));
    default:
      return html`${readText(value)}`;
  }
}

function renderPill(name: string): Markup {
  return html`<span class="pill">${name}</span>`;
}

function renderPills(names: readonly string[]): Markup {
  return html`${names.map((name) => html`${renderPill(name)} `)}`;
}

function renderDate(value: unknown): Markup {
  const { start, end } = readParts(value);
  return html`${describeDate(start)}${readText(end) !== '' && html` → ${describeDate(end)}`}`;
}

/** A day as it is; a time to the minute, with its offset where it has one. */
function describeDate(value: unknown): string {
  return readText(value)
    .replace(/T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?/, ' $1')
    .replace(/Z$/, ' UTC');
}
