import { html, type Markup } from '../../web/markup.ts';
import { readList, readParts, readText } from '../../web/read-parts.ts';
import { renderLink } from '../../web/render-link.ts';
import type { NotionProperty } from '../notion-page.ts';
import type { PropertyType } from '../property-types.ts';
import { renderNotionText } from './render-notion-text.ts';

const renderers: Readonly<Record<PropertyType, (value: unknown) => Markup>> = {
  title: renderNotionText,
  rich_text: renderNotionText,
  number: renderPlain,
  select: renderOption,
  status: renderOption,
  multi_select: renderOptions,
  date: renderDate,
  checkbox: (value) => html`${value === true ? '☑' : '☐'}`,
  url: (value) => renderLink(readText(value), readText(value)),
  email: renderPlain,
  phone_number: renderPlain,
  people: renderOptions,
  relation: renderOptions,
  files: renderOptions,
};

/** A property's value as people see it; nothing where it is empty. */
export function renderNotionProperty({ type, value }: NotionProperty): Markup | undefined {
  if (value === null || (Array.isArray(value) && value.length === 0)) return undefined;
  return renderers[type](value);
}

function renderPlain(value: unknown): Markup {
  return html`${readText(value)}`;
}

function renderOption(option: unknown): Markup {
  const { id, name } = readParts(option);
  return html`<span class="pill">${readText(name ?? id)}</span>`;
}

function renderOptions(options: unknown): Markup {
  return html`${readList(options).map((option) => html`${renderOption(option)} `)}`;
}

function renderDate(value: unknown): Markup {
  const { start, end } = readParts(value);
  return html`${readText(start)}${readText(end) !== '' && html` → ${readText(end)}`}`;
}
