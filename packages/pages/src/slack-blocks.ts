import { html, renderLink, type Markup, type MarkupValue } from './html.ts';
import { type LooseObject, toObject, toObjects, toText } from './loose-json.ts';

/** One Block Kit block as readers see it; other types are shown as JSON. */
export function renderSlackBlock(block: LooseObject): Markup {
  switch (block['type']) {
    case 'header':
      return html`<h3>${textOf(block['text'])}</h3>`;
    case 'section':
      return renderSection(block);
    case 'context':
      return html`<p class="row soft small">
        ${toObjects(block['elements']).map((part) => html`<span>${renderTextObject(part)}</span> `)}
      </p>`;
    case 'divider':
      return html`<hr />`;
    case 'actions':
      return html`<p class="buttons">${toObjects(block['elements']).map(renderButton)}</p>`;
    case 'rich_text':
      return renderRichText(block);
    case 'markdown':
      return html`<p class="box">${toText(block['text'])}</p>`;
    case 'image':
      return html`<p class="soft small">Image: ${toText(block['alt_text'])}</p>`;
    case 'table':
      return renderTable(block);
    case 'container':
      return renderContainer(block);
    default:
      return html`<details class="small">
        <summary>Block ${toText(block['type'])}</summary>
        <pre>${JSON.stringify(block, undefined, 2)}</pre>
      </details>`;
  }
}

function textOf(value: unknown): string {
  return toText(toObject(value)['text']);
}

function renderTextObject(text: LooseObject): Markup {
  if (text['type'] === 'image') return html`[${toText(text['alt_text'])}]`;
  return text['type'] === 'mrkdwn' ? renderMrkdwn(toText(text['text'])) : html`${toText(text['text'])}`;
}

function renderSection(block: LooseObject): Markup {
  const fields = toObjects(block['fields']);
  const accessory = toObject(block['accessory']);
  return html`
    ${block['text'] !== undefined && html`<p class="box">${renderTextObject(toObject(block['text']))}</p>`}
    ${
      fields.length > 0 &&
      html`<ul>
        ${fields.map((field) => html`<li>${renderTextObject(field)}</li>`)}
      </ul>`
    }
    ${accessory['type'] === 'button' && html`<p class="buttons">${renderButton(accessory)}</p>`}
  `;
}

/** A button with an address opens it; other elements show their placeholder or type. */
function renderButton(button: LooseObject): Markup {
  const label = textOf(button['text']) || textOf(button['placeholder']) || toText(button['type']);
  const style = button['style'] === 'primary' ? 'button primary' : 'button';
  const address = toText(button['url']);
  return /^https?:/i.test(address)
    ? html`<a class="${style}" href="${address}" rel="noreferrer noopener" target="_blank">${label}</a>`
    : html`<span class="${style}">${label}</span>`;
}

function renderTable(block: LooseObject): Markup {
  const rows = Array.isArray(block['rows']) ? block['rows'] : [];
  return html`<table>
    ${rows.map(
      (row: unknown) =>
        html`<tr>
          ${toObjects(row).map((cell) => html`<td>${cell['type'] === 'rich_text' ? renderRichText(cell) : toText(cell['text'])}</td>`)}
        </tr>`,
    )}
  </table>`;
}

function renderContainer(block: LooseObject): Markup {
  return html`<details class="callout" ${block['default_collapsed'] !== true && 'open'}>
    <summary>
      <strong>${renderTextObject(toObject(block['title']))}</strong>
      ${renderTextObject(toObject(block['subtitle']))}
    </summary>
    ${toObjects(block['child_blocks']).map(renderSlackBlock)}
  </details>`;
}

function renderRichText(block: LooseObject): Markup {
  return html`${groupLists(toObjects(block['elements'])).map(renderRichElement)}`;
}

/** Slack sends nested lists as siblings with a deeper `indent`: each moves into the item before it. */
function groupLists(elements: readonly LooseObject[]): readonly LooseObject[] {
  return elements.reduce<readonly LooseObject[]>((done, element) => {
    const last = done.at(-1);
    const isNested =
      element['type'] === 'rich_text_list' &&
      last?.['type'] === 'rich_text_list' &&
      Number(element['indent'] ?? 0) > Number(last['indent'] ?? 0);
    if (!isNested) return [...done, element];
    const items = toObjects(last['elements']);
    const owner = items.at(-1) ?? {};
    const nested = groupLists([...toObjects(owner['elements']), element]);
    const filled = { ...last, elements: [...items.slice(0, -1), { ...owner, elements: nested }] };
    return [...done.slice(0, -1), filled];
  }, []);
}

function renderRichElement(element: LooseObject): Markup {
  if (element['type'] === 'rich_text_list') return renderList(element);
  const inline = html`${toObjects(element['elements']).map(renderInline)}`;
  if (element['type'] === 'rich_text_preformatted') return html`<pre>${inline}</pre>`;
  if (element['type'] === 'rich_text_quote') return html`<blockquote class="box">${inline}</blockquote>`;
  return html`<p class="box">${inline}</p>`;
}

function renderList(list: LooseObject): Markup {
  const items = toObjects(list['elements']).map((item) => {
    const parts = toObjects(item['elements']).map((part) =>
      part['type'] === 'rich_text_list' ? renderList(part) : renderInline(part),
    );
    return html`<li>${parts}</li>`;
  });
  return list['style'] === 'ordered'
    ? html`<ol>
        ${items}
      </ol>`
    : html`<ul>
        ${items}
      </ul>`;
}

function renderInline(part: LooseObject): Markup {
  const { bold, italic, strike, code } = toObject(part['style']);
  const text = toText(part['text']);
  const address = toText(part['url']);
  const plain = part['type'] === 'link' ? renderLink(address, text || address) : renderLeaf(part, text);
  const coded = code === true ? html`<code>${plain}</code>` : plain;
  const struck = strike === true ? html`<s>${coded}</s>` : coded;
  const slanted = italic === true ? html`<em>${struck}</em>` : struck;
  return bold === true ? html`<strong>${slanted}</strong>` : slanted;
}

function renderLeaf(part: LooseObject, text: string): Markup {
  switch (part['type']) {
    case 'user':
      return html`<span class="pill">@${toText(part['name']) || toText(part['user_id'])}</span>`;
    case 'channel':
      return html`<span class="pill">#${toText(part['channel_id'])}</span>`;
    case 'broadcast':
      return html`<span class="pill">@${toText(part['range'])}</span>`;
    case 'emoji':
      return html`:${toText(part['name'])}:`;
    case 'date':
      return html`${toText(part['fallback'])}`;
    default:
      return html`${text}`;
  }
}

/** Slack escapes a `<` within `<>`, so a text full of them is not searched to its end for each. */
const tokenPattern = new RegExp(
  [
    '```(?<block>[\\s\\S]+?)```',
    '`(?<code>[^`\\n]+)`',
    '<!date\\^\\d+\\^[^|<>]*\\|(?<date>[^<>]*)>',
    '<(?<name>[@#!][^<>|]*)(?:\\|(?<nameLabel>[^<>]*))?>',
    '<(?<address>(?:https?:|mailto:)[^<>|\\s]+)(?:\\|(?<label>[^<>]*))?>',
    '\\*(?<bold>[^*\\n]+)\\*',
    '(?<!\\w)_(?<italic>[^_\\n]+)_(?!\\w)',
    '~(?<strike>[^~\\n]+)~',
  ].join('|'),
  'gi',
);

/** Slack's own markup: https://docs.slack.dev/messaging/formatting-message-text */
export function renderMrkdwn(text: string): Markup {
  const parts: MarkupValue[] = [];
  let end = 0;
  for (const token of text.matchAll(tokenPattern)) {
    parts.push(unescape(text.slice(end, token.index)), renderToken(token.groups ?? {}));
    end = token.index + token[0].length;
  }
  return html`${parts}${unescape(text.slice(end))}`;
}

function renderToken(found: Readonly<Record<string, string | undefined>>): Markup {
  const { block, code, date, name, nameLabel, address, label, bold, italic, strike } = found;
  if (block !== undefined) return html`<pre>${unescape(block)}</pre>`;
  if (code !== undefined) return html`<code>${unescape(code)}</code>`;
  if (date !== undefined) return html`${unescape(date)}`;
  if (name !== undefined) return html`<span class="pill">${unescape(nameLabel ?? name)}</span>`;
  if (address !== undefined) return renderLink(unescape(address), unescape(label ?? address));
  if (bold !== undefined) return html`<strong>${renderMrkdwn(bold)}</strong>`;
  if (italic !== undefined) return html`<em>${renderMrkdwn(italic)}</em>`;
  return html`<s>${renderMrkdwn(strike ?? '')}</s>`;
}

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
