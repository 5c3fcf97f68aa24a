import { html, renderLink, type Markup } from './html.ts';
import { type LooseObject, toObject, toObjects, toText } from './loose-json.ts';

/** A block as Notion returns it, with what is inside it. */
export interface NotionBlock {
  readonly type: string;
  readonly content: LooseObject;
  readonly children: readonly NotionBlock[];
}

const listTypes = ['bulleted_list_item', 'numbered_list_item', 'to_do'];

/** Blocks as readers see them: neighbouring list items become one list. */
export function renderNotionBlocks(blocks: readonly NotionBlock[]): Markup {
  const groups = blocks.reduce<readonly (readonly NotionBlock[])[]>((done, block) => {
    const last = done.at(-1);
    const isSameList = listTypes.includes(block.type) && last?.[0]?.type === block.type;
    return isSameList && last !== undefined ? [...done.slice(0, -1), [...last, block]] : [...done, [block]];
  }, []);
  return html`${groups.map(renderGroup)}`;
}

function renderGroup(group: readonly NotionBlock[]): Markup {
  const items = group.map(({ type, content, children }) => {
    const mark = type === 'to_do' && (content['checked'] === true ? '☑ ' : '☐ ');
    return html`<li>${mark}${renderNotionText(content['rich_text'])}${renderNotionBlocks(children)}</li>`;
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

function renderBlock(block: NotionBlock): Markup {
  const { type, content } = block;
  const text = renderNotionText(content['rich_text']);
  const children = renderNotionBlocks(block.children);
  switch (type) {
    case 'heading_1':
    case 'heading_2':
      return html`<h2>${text}</h2>`;
    case 'heading_3':
      return html`<h3>${text}</h3>`;
    case 'toggle':
      return html`<details>
        <summary>${text}</summary>
        <blockquote>${children}</blockquote>
      </details>`;
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
    case 'code':
      return html`<pre>${text}</pre>`;
    case 'divider':
      return html`<hr />`;
    case 'table':
      return renderTable(block);
    default:
      return html`<p class="soft small">Block ${type.replaceAll('_', ' ')}</p>
        ${text}${children}`;
  }
}

function renderTable({ content, children }: NotionBlock): Markup {
  const rows = children.map((row, rowIndex) => {
    const cells: readonly unknown[] = Array.isArray(row.content['cells']) ? row.content['cells'] : [];
    const isHeaderRow = rowIndex === 0 && content['has_column_header'] === true;
    return html`<tr>
      ${cells.map((cell) =>
        isHeaderRow ? html`<th>${renderNotionText(cell)}</th>` : html`<td>${renderNotionText(cell)}</td>`,
      )}
    </tr>`;
  });
  return html`<table>
    ${rows}
  </table>`;
}

function renderNotionText(value: unknown): Markup {
  return html`${toObjects(value).map(renderTextItem)}`;
}

function renderTextItem({ plain_text: plainText, href, annotations }: LooseObject): Markup {
  const { bold, italic, strikethrough, code } = toObject(annotations);
  const text = toText(plainText);
  const plain = typeof href === 'string' ? renderLink(href, text) : html`${text}`;
  const coded = code === true ? html`<code>${plain}</code>` : plain;
  const struck = strikethrough === true ? html`<s>${coded}</s>` : coded;
  const slanted = italic === true ? html`<em>${struck}</em>` : struck;
  return bold === true ? html`<strong>${slanted}</strong>` : slanted;
}

/** An emoji; images are not loaded. */
function renderNotionIcon(icon: unknown): Markup | undefined {
  const { emoji } = toObject(icon);
  return emoji === undefined ? undefined : html`${toText(emoji)} `;
}
