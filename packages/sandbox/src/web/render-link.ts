import { html, type Markup, type MarkupValue } from './markup.ts';

const linkable = /^(https?:|mailto:)/i;

/** A link where the address is a web or mail address, else its label alone: pages never carry `javascript:`. */
export function renderLink(address: string, label: MarkupValue): Markup {
  return linkable.test(address)
    ? html`<a href="${address}" rel="noreferrer noopener" target="_blank">${label}</a>`
    : html`${label}`;
}
