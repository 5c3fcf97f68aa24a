import { html, type Markup } from '../../web/markup.ts';
import { readList, readParts, readText, type Parts } from '../../web/read-parts.ts';
import { renderLink } from '../../web/render-link.ts';

/** Rich text as people see it. */
export function renderNotionText(value: unknown): Markup {
  return html`${readList(value).map(renderItem)}`;
}

function renderItem({ plain_text: letters, href, type, annotations }: Parts): Markup {
  const { bold, italic, strikethrough, underline, code } = readParts(annotations);
  const text = readText(letters);
  const link = typeof href === 'string' ? renderLink(href, text) : html`${text}`;
  const plain = type === 'mention' ? html`<span class="pill">${link}</span>` : link;
  const coded = code === true || type === 'equation' ? html`<code>${plain}</code>` : plain;
  const struck = strikethrough === true ? html`<s>${coded}</s>` : coded;
  const underlined = underline === true ? html`<u>${struck}</u>` : struck;
  const slanted = italic === true ? html`<em>${underlined}</em>` : underlined;
  return bold === true ? html`<strong>${slanted}</strong>` : slanted;
}
