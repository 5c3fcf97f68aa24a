import { html, type Markup } from '../../web/markup.ts';
import { readParts, readText, type Parts } from '../../web/read-parts.ts';

/** A button that opens its address, where it has one; other elements by their placeholder or their kind. */
export function renderButton(button: Parts): Markup {
  const label =
    readText(readParts(button['text'])['text']) ||
    readText(readParts(button['placeholder'])['text']) ||
    readText(button['type']);
  const style = button['style'] === 'primary' ? 'button primary' : 'button';
  const address = readText(button['url']);
  return /^https?:/i.test(address)
    ? html`<a class="${style}" href="${address}" rel="noreferrer noopener" target="_blank">${label}</a>`
    : html`<span class="${style}">${label}</span>`;
}
