import { html, type Markup } from '../../web/markup.ts';
import type { NotionBlockTree } from '../blocks/notion-block.ts';
import { renderNotionText } from './render-notion-text.ts';

/** A table with its header row and its header column, where it says that it has them. */
export function renderNotionTable({ content, children }: NotionBlockTree): Markup {
  return html`<table>
    ${children.map((row, rowIndex) => {
      const { cells } = row.content;
      const list: readonly unknown[] = Array.isArray(cells) ? cells : [];
      const isHeaderRow = rowIndex === 0 && content['has_column_header'] === true;
      return html`<tr>
        ${list.map((cell, index) => {
          const isHeader = isHeaderRow || (index === 0 && content['has_row_header'] === true);
          return isHeader
            ? html`<th>${renderNotionText(cell)}</th>`
            : html`<td>${renderNotionText(cell)}</td>`;
        })}
      </tr>`;
    })}
  </table>`;
}
