import { html, type Markup } from '../../web/markup.ts';
import { readList, readParts, readText, type Parts } from '../../web/read-parts.ts';
import { renderButton } from './render-button.ts';
import { renderCompoundBlock } from './render-compound-block.ts';
import { renderRichText } from './render-rich-text.ts';
import { renderText } from './render-text.ts';

/** One Block Kit block as people see it; kinds we don't draw are named, with their JSON. */
export function renderBlock(block: Parts): Markup {
  switch (block['type']) {
    case 'header':
      return html`<h3>${readText(readParts(block['text'])['text'])}</h3>`;
    case 'section':
      return renderSection(block);
    case 'context':
      return html`<p class="row soft small">
        ${readList(block['elements']).map((part) => html`<span>${renderText(part)}</span> `)}
      </p>`;
    case 'divider':
      return html`<hr />`;
    case 'actions':
      return html`<p class="buttons">${readList(block['elements']).map(renderButton)}</p>`;
    case 'rich_text':
      return renderRichText(block);
    case 'markdown':
      return html`<p class="box">${readText(block['text'])}</p>`;
    case 'image':
      return html`<p class="soft small">Image: ${readText(block['alt_text'])}</p>`;
    case 'table':
    case 'data_table':
      return renderTable(block);
    default:
      return renderCompoundBlock(block, renderBlock) ?? renderUnknown(block);
  }
}

function renderUnknown(block: Parts): Markup {
  return html`<details class="small">
    <summary>Block ${readText(block['type'])}</summary>
    <pre>${JSON.stringify(block, undefined, 2)}</pre>
  </details>`;
}

function renderSection(block: Parts): Markup {
  const fields = readList(block['fields']);
  const accessory = readParts(block['accessory']);
  return html`
    ${block['text'] !== undefined && html`<p class="box">${renderText(readParts(block['text']))}</p>`}
    ${
      fields.length > 0 &&
      html`<ul>
        ${fields.map((field) => html`<li>${renderText(field)}</li>`)}
      </ul>`
    }
    ${accessory['type'] === 'button' && html`<p class="buttons">${renderButton(accessory)}</p>`}
  `;
}

function renderTable(block: Parts): Markup {
  const rows = Array.isArray(block['rows']) ? block['rows'] : [];
  const caption = readText(block['caption']);
  return html`<table>
    ${
      caption !== '' &&
      html`<caption class="small soft">
        ${caption}
      </caption>`
    }
    ${rows.map(
      (row: unknown) =>
        html`<tr>
          ${readList(row).map((cell) => html`<td>${renderCell(cell)}</td>`)}
        </tr>`,
    )}
  </table>`;
}

function renderCell(cell: Parts): Markup {
  return cell['type'] === 'rich_text'
    ? renderRichText(cell)
    : html`${readText(cell['text'] ?? cell['value'])}`;
}
