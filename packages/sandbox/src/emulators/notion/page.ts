import { toObject, toObjects, toText, type JsonObject } from '../../values.ts';
import { html, renderLink, renderPage, type Markup } from '../../web/page.ts';
import { readTree } from './blocks.ts';
import {
  isInTrash,
  type NotionBlockTree,
  type NotionPage,
  type NotionProperty,
  type NotionState,
} from './state.ts';

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
    <h1>${renderIcon(page.icon)}${titleOf(page)}</h1>
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

/** An emoji; images are not loaded. */
function renderIcon(icon: unknown): Markup | undefined {
  const { emoji } = toObject(icon);
  return emoji === undefined ? undefined : html`${toText(emoji)} `;
}

/** Undefined for an empty value. */
function renderProperty({ type, value }: NotionProperty, { pages }: NotionState): Markup | undefined {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  switch (type) {
    case 'title':
    case 'rich_text':
      return renderRichText(value);
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

const listTypes = ['bulleted_list_item', 'numbered_list_item', 'to_do'];

/** Blocks as readers see them: neighbouring list items become one list. */
export function renderNotionBlocks(blocks: readonly NotionBlockTree[]): Markup {
  const groups = blocks.reduce<readonly (readonly NotionBlockTree[])[]>((done, block) => {
    const last = done.at(-1);
    const isSameList = listTypes.includes(block.type) && last?.[0]?.type === block.type;
    return isSameList && last !== undefined ? [...done.slice(0, -1), [...last, block]] : [...done, [block]];
  }, []);
  return html`${groups.map(renderGroup)}`;
}

function renderGroup(group: readonly NotionBlockTree[]): Markup {
  const items = group.map(({ type, content, children }) => {
    const mark = type === 'to_do' && (content['checked'] === true ? '☑ ' : '☐ ');
    return html`<li>${mark}${renderRichText(content['rich_text'])}${renderNotionBlocks(children)}</li>`;
  });
  switch (group[0]?.type ?? '') {
    case 'to_do':
      return html`<ul class="check">
        ${items}
      </ul>`;
    case 'bulleted_list_item':
      return html`<ul>
        ${items}
      </ul>`;
    case 'numbered_list_item':
      return html`<ol>
        ${items}
      </ol>`;
    default:
      return html`${group.map(renderBlock)}`;
  }
}

function renderBlock(block: NotionBlockTree): Markup {
  const { type, content } = block;
  const text = renderRichText(content['rich_text']);
  const children = renderNotionBlocks(block.children);
  switch (type) {
    case 'heading_1':
    case 'heading_2':
      return content['is_toggleable'] === true
        ? renderFold(html`<strong>${text}</strong>`, children)
        : html`<h2>${text}</h2>`;
    case 'heading_3':
    case 'heading_4':
      return content['is_toggleable'] === true
        ? renderFold(html`<strong>${text}</strong>`, children)
        : html`<h3>${text}</h3>`;
    case 'toggle':
      return renderFold(text, children);
    case 'paragraph':
      return html`<p class="box">${text}</p>
        ${children}`;
    case 'callout':
      return html`<div class="callout">
        <p class="box">${renderIcon(content['icon'])}${text}</p>
        ${children}
      </div>`;
    case 'quote':
      return html`<blockquote>
        <p class="box">${text}</p>
        ${children}
      </blockquote>`;
    case 'code':
      return html`<pre>${text}</pre>`;
    case 'divider':
      return html`<hr />`;
    case 'table':
      return renderTable(block);
    default:
      return renderOther(type, content, html`${text}${children}`);
  }
}

function renderFold(summary: Markup, children: Markup): Markup {
  return html`<details>
    <summary>${summary}</summary>
    <blockquote>${children}</blockquote>
  </details>`;
}

function renderTable({ content, children }: NotionBlockTree): Markup {
  const rows = children.map((row, rowIndex) => {
    const cells: readonly unknown[] = Array.isArray(row.content['cells']) ? row.content['cells'] : [];
    const isHeaderRow = rowIndex === 0 && content['has_column_header'] === true;
    return html`<tr>
      ${cells.map((cell, index) =>
        isHeaderRow || (index === 0 && content['has_row_header'] === true)
          ? html`<th>${renderRichText(cell)}</th>`
          : html`<td>${renderRichText(cell)}</td>`,
      )}
    </tr>`;
  });
  return html`<table>
    ${rows}
  </table>`;
}

/** Files and links by their address; other types by their name. */
function renderOther(type: string, content: JsonObject, inside: Markup): Markup {
  const address = toText(content['url'] ?? toObject(content['external'])['url']);
  if (address !== '') {
    const caption = renderRichText(content['caption']);
    return html`<p>${renderLink(address, address)} <span class="soft small">${type}</span> ${caption}</p>`;
  }
  return html`<p class="soft small">Block ${type.replaceAll('_', ' ')}</p>
    ${inside}`;
}

function renderRichText(value: unknown): Markup {
  return html`${toObjects(value).map(renderTextItem)}`;
}

function renderTextItem({ plain_text: plainText, href, type, annotations }: JsonObject): Markup {
  const { bold, italic, strikethrough, underline, code } = toObject(annotations);
  const text = toText(plainText);
  const plain = typeof href === 'string' ? renderLink(href, text) : html`${text}`;
  const coded = code === true || type === 'equation' ? html`<code>${plain}</code>` : plain;
  const struck = strikethrough === true ? html`<s>${coded}</s>` : coded;
  const underlined = underline === true ? html`<u>${struck}</u>` : struck;
  const slanted = italic === true ? html`<em>${underlined}</em>` : underlined;
  return bold === true ? html`<strong>${slanted}</strong>` : slanted;
}
