import { html, type Markup } from '../../web/markup.ts';
import { readParts, readText, type Parts } from '../../web/read-parts.ts';
import { renderLink } from '../../web/render-link.ts';
import type { NotionBlockTree } from '../blocks/notion-block.ts';
import { renderNotionTable } from './render-notion-table.ts';
import { renderNotionText } from './render-notion-text.ts';

const listTags: Readonly<Record<string, 'ol' | 'ul' | 'check'>> = {
  bulleted_list_item: 'ul',
  numbered_list_item: 'ol',
  to_do: 'check',
};

/** Blocks as people see them: neighbouring list items become one list. */
export function renderNotionBlocks(blocks: readonly NotionBlockTree[]): Markup {
  const groups = blocks.reduce<readonly (readonly NotionBlockTree[])[]>((done, block) => {
    const last = done.at(-1);
    const isSameList = listTags[block.type] !== undefined && last?.[0]?.type === block.type;
    return isSameList && last !== undefined ? [...done.slice(0, -1), [...last, block]] : [...done, [block]];
  }, []);
  return html`${groups.map(renderGroup)}`;
}

function renderGroup(group: readonly NotionBlockTree[]): Markup {
  const tag = listTags[group[0]?.type ?? ''];
  if (tag === undefined) return html`${group.map(renderBlock)}`;
  const items = group.map(
    (block) =>
      html`<li>
        ${renderMark(block)}${renderNotionText(block.content['rich_text'])}${renderNotionBlocks(block.children)}
      </li>`,
  );
  if (tag === 'check') {
    return html`<ul class="check">
      ${items}
    </ul>`;
  }
  return tag === 'ol'
    ? html`<ol>
        ${items}
      </ol>`
    : html`<ul>
        ${items}
      </ul>`;
}

function renderMark({ type, content }: NotionBlockTree): Markup | undefined {
  if (type !== 'to_do') return undefined;
  return content['checked'] === true ? html`☑ ` : html`☐ `;
}

function renderBlock(block: NotionBlockTree): Markup {
  const { type, content } = block;
  const text = renderNotionText(content['rich_text']);
  const children = renderNotionBlocks(block.children);
  switch (type) {
    case 'heading_1':
    case 'heading_2':
      return renderHeading(content, html`<h2>${text}</h2>`, text, children);
    case 'heading_3':
    case 'heading_4':
      return renderHeading(content, html`<h3>${text}</h3>`, text, children);
    case 'paragraph':
      return html`<p class="box">${text}</p>
        ${children}`;
    case 'callout':
      return html`<div class="callout">
        <p class="box">${renderNotionIcon(content['icon'])}${text}</p>
        ${children}
      </div>`;
    case 'quote':
      return html`<blockquote>
        <p class="box">${text}</p>
        ${children}
      </blockquote>`;
    case 'toggle':
      return renderFold(text, children);
    case 'code':
      return html`<pre>${text}</pre>`;
    case 'equation':
      return html`<pre>${readText(content['expression'])}</pre>`;
    case 'divider':
      return html`<hr />`;
    case 'table':
      return renderNotionTable(block);
    case 'column_list':
      return html`<table>
        <tr>
          ${block.children.map(({ children: column }) => html`<td>${renderNotionBlocks(column)}</td>`)}
        </tr>
      </table>`;
    default:
      return renderOther(block, html`${text}${children}`);
  }
}

function renderHeading(content: Parts, plain: Markup, text: Markup, children: Markup): Markup {
  return content['is_toggleable'] === true
    ? renderFold(html`<strong>${text}</strong>`, children)
    : html`${plain} ${children}`;
}

function renderFold(text: Markup, children: Markup): Markup {
  return html`<details>
    <summary>${text}</summary>
    <blockquote>${children}</blockquote>
  </details>`;
}

/** An emoji; pictures are not loaded. */
export function renderNotionIcon(icon: unknown): Markup | undefined {
  const { emoji } = readParts(icon);
  return emoji === undefined ? undefined : html`${readText(emoji)} `;
}

/** Media, links, pages in pages, and whatever has no look of its own. */
function renderOther({ type, content }: NotionBlockTree, inside: Markup): Markup {
  const { url } = content;
  const { url: external } = readParts(content['external'] ?? content['file']);
  const address = readText(url ?? external);
  if (type === 'child_page' || type === 'child_database') {
    const kind = type === 'child_page' ? 'page' : 'database';
    return html`<p>
      <strong>${readText(content['title'])}</strong> <span class="soft small">${kind}</span>
    </p>`;
  }
  const caption = renderNotionText(content['caption']);
  if (address !== '') {
    return html`<p>${renderLink(address, address)} <span class="soft small">${type}</span> ${caption}</p>`;
  }
  return html`<p class="soft small">Block ${type.replaceAll('_', ' ')}</p>
    ${inside}`;
}
