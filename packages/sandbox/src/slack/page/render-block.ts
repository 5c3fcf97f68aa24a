import { html, type Markup } from '../../web/markup.ts';
import { readList, readParts, readText, type Parts } from '../../web/read-parts.ts';
import { renderMrkdwn } from './render-mrkdwn.ts';
import { renderRichText } from './render-rich-text.ts';

/** One Block Kit block as people see it; kinds we don't draw are named, with their text. */
export function renderBlock(block: Parts): Markup {
  switch (block['type']) {
    case 'header':
      return html`<h3>${readText(readParts(block['text'])['text'])}</h3>`;
    case 'section':
      return renderSection(block);
    case 'context':
      return html`<p class="soft small">
        ${readList(block['elements']).map((part) => html`${renderText(part)} `)}
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
      return html`<p class="soft small">Block ${readText(block['type'])}</p>
        <pre>${JSON.stringify(block, undefined, 2)}</pre>`;
  }
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

function renderText(text: Parts): Markup {
  if (text['type'] === 'image') return html`[${readText(text['alt_text'])}]`;
  return text['type'] === 'mrkdwn' ? renderMrkdwn(readText(text['text'])) : html`${readText(text['text'])}`;
}

function renderButton(button: Parts): Markup {
  const label = readText(readParts(button['text'])['text']) || readText(button['type']);
  const style = button['style'] === 'primary' ? 'button primary' : 'button';
  const address = readText(button['url']);
  return /^https?:/i.test(address)
    ? html`<a class="${style}" href="${address}" rel="noreferrer noopener" target="_blank">${label}</a>`
    : html`<span class="${style}">${label}</span>`;
}

function renderTable(block: Parts): Markup {
  const rows = Array.isArray(block['rows']) ? block['rows'] : [];
  return html`<table>
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
