import { html, type Markup } from '../../web/markup.ts';
import { readList, readParts, readText, type Parts } from '../../web/read-parts.ts';
import { renderLink } from '../../web/render-link.ts';
import { readBlockChildren, readBlockType } from '../check-notion-children.ts';
import { renderNotionText } from './render-notion-text.ts';

const listTags: Readonly<Record<string, 'ol' | 'ul' | 'check'>> = {
  bulleted_list_item: 'ul',
  numbered_list_item: 'ol',
  to_do: 'check',
};

/** Blocks as people see them: neighbouring list items become one list. */
export function renderNotionBlocks(blocks: readonly Parts[]): Markup {
  const groups = blocks.reduce<readonly (readonly Parts[])[]>((done, block) => {
    const last = done.at(-1);
    const type = readBlockType(block) ?? '';
    const isSameList =
      listTags[type] !== undefined && last?.[0] !== undefined && readBlockType(last[0]) === type;
    return isSameList && last !== undefined ? [...done.slice(0, -1), [...last, block]] : [...done, [block]];
  }, []);
  return html`${groups.map(renderGroup)}`;
}

function renderGroup(group: readonly Parts[]): Markup {
  const tag = listTags[readBlockType(group[0] ?? {}) ?? ''];
  if (tag === undefined) return html`${group.map(renderBlock)}`;
  const items = group.map(
    (block) => html`<li>${renderMark(block)}${renderOwnText(block)}${renderChildren(block)}</li>`,
  );
  if (tag === 'check')
    return html`<ul class="check">
      ${items}
    </ul>`;
  return tag === 'ol'
    ? html`<ol>
        ${items}
      </ol>`
    : html`<ul>
        ${items}
      </ul>`;
}

function renderMark(block: Parts): Markup | undefined {
  if (readBlockType(block) !== 'to_do') return undefined;
  return readParts(block['to_do'])['checked'] === true ? html`☑ ` : html`☐ `;
}

function renderBlock(block: Parts): Markup {
  const type = readBlockType(block) ?? '';
  const content = readParts(block[type]);
  const text = renderOwnText(block);
  const children = renderChildren(block);
  switch (type) {
    case 'heading_1':
    case 'heading_2':
      return html`<h2>${text}</h2>
        ${children}`;
    case 'heading_3':
    case 'heading_4':
      return html`<h3>${text}</h3>
        ${children}`;
    case 'paragraph':
      return html`<p class="box">${text}</p>
        ${children}`;
    case 'callout':
      return html`<div class="callout">
        <p class="box">${text}</p>
        ${children}
      </div>`;
    case 'quote':
      return html`<blockquote>
        <p class="box">${text}</p>
        ${children}
      </blockquote>`;
    case 'toggle':
      return html`<details>
        <summary>${text}</summary>
        ${children}
      </details>`;
    case 'code':
      return html`<pre>${text}</pre>`;
    case 'divider':
      return html`<hr />`;
    case 'bookmark':
    case 'embed':
      return html`<p>${renderLink(readText(content['url']), readText(content['url']))}</p>`;
    case 'table':
      return html`<table>
        ${readBlockChildren(block).map(renderRow)}
      </table>`;
    default:
      return html`<p class="soft small">Block ${type}</p>
        ${text}${children}`;
  }
}

function renderRow(row: Parts): Markup {
  const cells = readParts(row['table_row'])['cells'];
  const list: readonly unknown[] = Array.isArray(cells) ? cells : [];
  return html`<tr>
    ${list.map((cell) => html`<td>${renderNotionText(cell)}</td>`)}
  </tr>`;
}

function renderOwnText(block: Parts): Markup {
  return renderNotionText(readParts(block[readBlockType(block) ?? ''])['rich_text']);
}

function renderChildren(block: Parts): Markup {
  return renderNotionBlocks(readList(readBlockChildren(block)));
}
