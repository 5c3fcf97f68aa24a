import { html, type Markup } from '../../web/markup.ts';
import { readList, readParts, readText, type Parts } from '../../web/read-parts.ts';
import { renderLink } from '../../web/render-link.ts';

/** A `rich_text` block: sections, lists, quotes and code. */
export function renderRichText(block: Parts): Markup {
  return html`${groupLists(readList(block['elements'])).map(renderElement)}`;
}

function renderElement(element: Parts): Markup {
  const inline = html`${readList(element['elements']).map(renderInline)}`;
  if (element['type'] === 'rich_text_preformatted') return html`<pre>${inline}</pre>`;
  if (element['type'] === 'rich_text_quote') return html`<blockquote class="box">${inline}</blockquote>`;
  if (element['type'] === 'rich_text_list') return renderList(element);
  return html`<p class="box">${inline}</p>`;
}

function renderList(list: Parts): Markup {
  const items = readList(list['elements']).map((item) => html`<li>${renderItem(item)}</li>`);
  return list['style'] === 'ordered'
    ? html`<ol>
        ${items}
      </ol>`
    : html`<ul>
        ${items}
      </ul>`;
}

function renderItem(item: Parts): Markup {
  return html`${readList(item['elements']).map((part) =>
    part['type'] === 'rich_text_list' ? renderList(part) : renderInline(part),
  )}`;
}

/** Slack sends nested lists as neighbours with a deeper `indent`: each goes into the item it follows. */
function groupLists(elements: readonly Parts[]): readonly Parts[] {
  return elements.reduce<readonly Parts[]>((done, element) => {
    const last = done.at(-1);
    const isNested =
      element['type'] === 'rich_text_list' &&
      last?.['type'] === 'rich_text_list' &&
      Number(element['indent'] ?? 0) > Number(last['indent'] ?? 0);
    if (!isNested) return [...done, element];
    const items = readList(last['elements']);
    const owner = items.at(-1) ?? {};
    const nested = groupLists([...readList(owner['elements']), element]);
    return [
      ...done.slice(0, -1),
      { ...last, elements: [...items.slice(0, -1), { ...owner, elements: nested }] },
    ];
  }, []);
}

function renderInline(part: Parts): Markup {
  const text = readText(part['text']);
  const style = readParts(part['style']);
  const address = readText(part['url']);
  const plain = part['type'] === 'link' ? renderLink(address, text || address) : renderLeaf(part, text);
  const code = style['code'] === true ? html`<code>${plain}</code>` : plain;
  const strike = style['strike'] === true ? html`<s>${code}</s>` : code;
  const italic = style['italic'] === true ? html`<em>${strike}</em>` : strike;
  return style['bold'] === true ? html`<strong>${italic}</strong>` : italic;
}

function renderLeaf(part: Parts, text: string): Markup {
  if (part['type'] === 'user') {
    return html`<span class="pill">@${readText(part['name']) || readText(part['user_id'])}</span>`;
  }
  if (part['type'] === 'channel') return html`<span class="pill">#${readText(part['channel_id'])}</span>`;
  if (part['type'] === 'broadcast') return html`<span class="pill">@${readText(part['range'])}</span>`;
  if (part['type'] === 'emoji') return html`:${readText(part['name'])}:`;
  if (part['type'] === 'date') return html`${readText(part['fallback'])}`;
  return html`${text}`;
}
