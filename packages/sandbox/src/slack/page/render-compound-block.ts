import { html, type Markup } from '../../web/markup.ts';
import { readList, readParts, readText, type Parts } from '../../web/read-parts.ts';
import { renderLink } from '../../web/render-link.ts';
import { renderButton } from './render-button.ts';
import { renderRichText } from './render-rich-text.ts';
import { renderText } from './render-text.ts';

/** Blocks that hold others or several parts; undefined for a kind that is none of them. */
export function renderCompoundBlock(block: Parts, renderChild: (child: Parts) => Markup): Markup | undefined {
  switch (block['type']) {
    case 'container':
      return renderContainer(block, renderChild);
    case 'card':
      return renderCard(block);
    case 'carousel':
      return html`${readList(block['elements']).map(renderCard)}`;
    case 'task_card':
      return renderTask(block);
    case 'plan':
      return html`<p><strong>${readText(block['title'])}</strong></p>
        ${readList(block['tasks']).map(renderTask)}`;
    case 'context_actions':
      return html`<p class="buttons">${readList(block['elements']).map(renderFeedback)}</p>`;
    case 'video':
      return html`<p>
        Video: ${renderLink(readText(block['title_url']), renderText(readParts(block['title'])))}
      </p>`;
    case 'file':
      return html`<p class="soft small">File: ${readText(block['external_id'])}</p>`;
    case 'input':
      return html`<p class="soft small">
        Input: ${renderText(readParts(block['label']))} (${readText(readParts(block['element'])['type'])})
      </p>`;
    default:
      return undefined;
  }
}

function renderContainer(block: Parts, renderChild: (child: Parts) => Markup): Markup {
  const richTitle = readParts(block['rich_text_title']);
  return html`<details class="callout" ${block['default_collapsed'] !== true && 'open'}>
    <summary>
      <strong>${renderText(readParts(block['title']))}</strong> ${renderText(readParts(block['subtitle']))}
    </summary>
    ${richTitle['type'] === 'rich_text' && renderRichText(richTitle)}
    ${readList(block['child_blocks']).map(renderChild)}
  </details>`;
}

function renderCard(card: Parts): Markup {
  const actions = readList(card['actions']);
  return html`<div class="callout">
    <p><strong>${renderText(readParts(card['title']))}</strong> ${renderText(readParts(card['subtitle']))}</p>
    <p>${renderText(readParts(card['body']))}</p>
    ${actions.length > 0 && html`<p class="buttons">${actions.map(renderButton)}</p>`}
  </div>`;
}

function renderTask(task: Parts): Markup {
  const sources = readList(task['sources']);
  const parts = [readParts(task['details']), readParts(task['output'])];
  return html`<div class="callout">
    <p>${readText(task['title'])} <span class="pill">${readText(task['status'])}</span></p>
    ${parts.filter(({ type }) => type === 'rich_text').map(renderRichText)}
    ${
      sources.length > 0 &&
      html`<p class="small">
        ${sources.map((source) => html`${renderLink(readText(source['url']), readText(source['text']))} `)}
      </p>`
    }
  </div>`;
}

function renderFeedback(element: Parts): Markup {
  if (element['type'] !== 'feedback_buttons') return renderButton(element);
  const buttons = [readParts(element['positive_button']), readParts(element['negative_button'])];
  return html`${buttons.map(renderButton)}`;
}
