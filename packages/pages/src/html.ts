/** Text that is already HTML. Only `html` creates it, so that no value reaches a page unescaped. */
export class Markup {
  readonly text: string;

  constructor(parts: readonly string[], values: readonly MarkupValue[]) {
    this.text = parts.map((part, index) => part + renderValue(values[index])).join('');
  }
}

export type MarkupValue = Markup | string | number | false | undefined | readonly MarkupValue[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function renderValue(value: MarkupValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
  }
  return value.map(renderValue).join('');
}

/** Fills a template of HTML; every value that is not markup is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(parts, values);
}

const linkable = /^(https?:|mailto:)/i;

/** A link if the address is a web or mail address, else only the label: pages never have `javascript:` links. */
export function renderLink(address: string, label: MarkupValue): Markup {
  return linkable.test(address)
    ? html`<a href="${address}" rel="noreferrer noopener" target="_blank">${label}</a>`
    : html`${label}`;
}
