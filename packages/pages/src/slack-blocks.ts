import { html, renderLink, type Markup } from './html.ts';
import { type LooseObject, toObject, toObjects, toText } from './loose-json.ts';

/** One Block Kit block as readers see it: of the types that recipes send. Others are shown as JSON. */
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
    case 'actions':
      return html`<p class="buttons">${toObjects(block['elements']).map(renderButton)}</p>`;
    case 'rich_text':
      return renderRichText(block);
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
  return text['type'] === 'mrkdwn' ? renderMrkdwn(toText(text['text'])) : html`${toText(text['text'])}`;
}

function renderSection(block: LooseObject): Markup {
  const accessory = toObject(block['accessory']);
  return html`<p class="box">${renderTextObject(toObject(block['text']))}</p>
    ${accessory['type'] === 'button' && html`<p class="buttons">${renderButton(accessory)}</p>`}`;
}

/** A button with an address opens it. */
function renderButton(button: LooseObject): Markup {
  const label = textOf(button['text']);
  const address = toText(button['url']);
  return /^https?:/i.test(address)
    ? html`<a class="button" href="${address}" rel="noreferrer noopener" target="_blank">${label}</a>`
    : html`<span class="button">${label}</span>`;
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
  const plain = part['type'] === 'link' ? renderLink(address, text || address) : renderWords(part, text);
  const coded = code === true ? html`<code>${plain}</code>` : plain;
  const struck = strike === true ? html`<s>${coded}</s>` : coded;
  const slanted = italic === true ? html`<em>${struck}</em>` : struck;
  return bold === true ? html`<strong>${slanted}</strong>` : slanted;
}

function renderWords(part: LooseObject, text: string): Markup {
  return part['type'] === 'user'
    ? html`<span class="pill">@${toText(part['user_id'])}</span>`
    : html`${text}`;
}

/** Dates are the only markup in a `mrkdwn` text of ours: https://docs.slack.dev/messaging/formatting-message-text */
function renderMrkdwn(text: string): Markup {
  return html`${unescape(text.replaceAll(/<!date\^\d+\^[^|<>]*\|([^<>]*)>/g, '$1'))}`;
}

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
