import { html, type Markup } from '../../web/markup.ts';
import { renderLink } from '../../web/render-link.ts';
import { notionTextSchema, type NotionText } from '../notion-text.ts';

/** Rich text as people see it. */
export function renderNotionText(value: unknown): Markup {
  const text = notionTextSchema.safeParse(value);
  return html`${text.success ? text.data.map(renderItem) : []}`;
}

function renderItem({ plain_text: letters, href, annotations }: NotionText[number]): Markup {
  const plain = href === null ? html`${letters}` : renderLink(href, letters);
  const code = annotations.code ? html`<code>${plain}</code>` : plain;
  const struck = annotations.strikethrough ? html`<s>${code}</s>` : code;
  const underlined = annotations.underline ? html`<u>${struck}</u>` : struck;
  const italic = annotations.italic ? html`<em>${underlined}</em>` : underlined;
  return annotations.bold ? html`<strong>${italic}</strong>` : italic;
}
