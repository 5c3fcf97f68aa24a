import { toObject, toObjects, toText, type JsonObject } from '../../values.ts';
import { html, renderLink, renderPage, type Markup, type MarkupValue } from '../../web/page.ts';
import { isReply } from './messages.ts';
import type { SlackFile, SlackMessage, SlackUser } from './state.ts';

/** The page of the emulator: messages as a reader of the channel sees them, newest first, each with its thread. */
export function renderSlackPage(messages: readonly SlackMessage[], users: readonly SlackUser[] = []): string {
  const threads = groupThreads(messages.map((message) => addUserNames(message, users)));
  return renderPage({
    title: 'Slack emulator',
    lead: 'Messages posted to the local Slack. Nothing left this machine.',
    body:
      threads.length === 0
        ? html`<p class="empty">
            No message yet. Point a Slack client at this address with <code>/api/</code> behind it.
          </p>`
        : html`${threads.toReversed().map(renderThread)}`,
  });
}

function addUserNames(message: SlackMessage, users: readonly SlackUser[]): SlackMessage {
  const { blocks } = message;
  return blocks === undefined ? message : { ...message, blocks: toObjects(nameUsers(blocks, users)) };
}

/** Blocks in which each mention of a known user has the user's name. */
function nameUsers(value: unknown, users: readonly SlackUser[]): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => nameUsers(one, users));
  if (typeof value !== 'object' || value === null) return value;
  const named = Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => [key, nameUsers(part, users)]),
  );
  const user = users.find(({ id }) => named['type'] === 'user' && id === named['user_id']);
  return user === undefined ? named : { ...named, name: user.realName };
}

interface Thread {
  readonly parent: SlackMessage;
  readonly replies: SlackMessage[];
}

/** A reply without a parent stands alone. */
function groupThreads(messages: readonly SlackMessage[]): readonly Thread[] {
  const threads = new Map<string, Thread>();
  for (const message of messages) {
    const thread = isReply(message) ? threads.get(`${message.channel} ${message.threadTs ?? ''}`) : undefined;
    if (thread === undefined) {
      threads.set(`${message.channel} ${message.ts}`, { parent: message, replies: [] });
    } else thread.replies.push(message);
  }
  return [...threads.values()];
}

function renderThread({ parent, replies }: Thread): Markup {
  const count = replies.length === 1 ? '1 reply' : `${String(replies.length)} replies`;
  return html`<article class="card">
    ${renderMessage(parent)}
    ${
      replies.length > 0 &&
      html`<p class="soft small">${count}</p>
        ${replies.map((reply) => html`<div class="callout">${renderMessage(reply)}</div>`)}`
    }
  </article>`;
}

function renderMessage(message: SlackMessage): Markup {
  const time = new Date(Number(message.ts) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return html`<p class="row small soft">
      <strong>${message.channelAsked}</strong>
      ${message.isBroadcast === true && html`<span class="pill">also in the channel</span>`}
      ${message.editedTs !== undefined && html`<span class="pill">edited</span>`}
      <span class="end">${time} UTC</span>
    </p>
    ${renderContent(message)} ${(message.files ?? []).map(renderFile)}
    ${message.metadata !== undefined && html`<p class="soft small metadata">Metadata: <code>${message.metadata.event_type}</code></p>`}`;
}

/** Slack shows the blocks if there are any; the text is then for notifications and screen readers. */
function renderContent({ blocks = [], attachments = [], text }: SlackMessage): Markup {
  const fallback = html`<details class="small soft">
    <summary>What a screen reader says</summary>
    <p class="box">${renderMrkdwn(text)}</p>
  </details>`;
  return html`${
    blocks.length > 0
      ? html`${blocks.map(renderSlackBlock)} ${text !== '' && fallback}`
      : html`<p class="box">${renderMrkdwn(text)}</p>`
  }
  ${attachments.map(renderAttachment)}`;
}

function renderAttachment(attachment: JsonObject): Markup {
  const blocks = toObjects(attachment['blocks']);
  const title = toText(attachment['title']);
  return html`<blockquote>
    ${title !== '' && html`<p><strong>${title}</strong></p>`}
    ${blocks.length > 0 ? blocks.map(renderSlackBlock) : toText(attachment['text'] ?? attachment['fallback'])}
  </blockquote>`;
}

function renderFile({ id, title, name, sizeBytes }: SlackFile): Markup {
  return html`<p class="small">
    <a href="/_sandbox/files/${id}">${title}</a> <span class="pill">${name} · ${sizeBytes} bytes</span>
  </p>`;
}

/** One Block Kit block as readers see it; other types are shown as JSON. */
export function renderSlackBlock(block: JsonObject): Markup {
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

function renderTextObject(text: JsonObject): Markup {
  if (text['type'] === 'image') return html`[${toText(text['alt_text'])}]`;
  return text['type'] === 'mrkdwn' ? renderMrkdwn(toText(text['text'])) : html`${toText(text['text'])}`;
}

function renderSection(block: JsonObject): Markup {
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
function renderButton(button: JsonObject): Markup {
  const label = textOf(button['text']) || textOf(button['placeholder']) || toText(button['type']);
  const style = button['style'] === 'primary' ? 'button primary' : 'button';
  const address = toText(button['url']);
  return /^https?:/i.test(address)
    ? html`<a class="${style}" href="${address}" rel="noreferrer noopener" target="_blank">${label}</a>`
    : html`<span class="${style}">${label}</span>`;
}

function renderTable(block: JsonObject): Markup {
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

function renderContainer(block: JsonObject): Markup {
  return html`<details class="callout" ${block['default_collapsed'] !== true && 'open'}>
    <summary>
      <strong>${renderTextObject(toObject(block['title']))}</strong>
      ${renderTextObject(toObject(block['subtitle']))}
    </summary>
    ${toObjects(block['child_blocks']).map(renderSlackBlock)}
  </details>`;
}

function renderRichText(block: JsonObject): Markup {
  return html`${groupLists(toObjects(block['elements'])).map(renderRichElement)}`;
}

/** Slack sends nested lists as siblings with a deeper `indent`: each moves into the item before it. */
function groupLists(elements: readonly JsonObject[]): readonly JsonObject[] {
  return elements.reduce<readonly JsonObject[]>((done, element) => {
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

function renderRichElement(element: JsonObject): Markup {
  if (element['type'] === 'rich_text_list') return renderList(element);
  const inline = html`${toObjects(element['elements']).map(renderInline)}`;
  if (element['type'] === 'rich_text_preformatted') return html`<pre>${inline}</pre>`;
  if (element['type'] === 'rich_text_quote') return html`<blockquote class="box">${inline}</blockquote>`;
  return html`<p class="box">${inline}</p>`;
}

function renderList(list: JsonObject): Markup {
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

function renderInline(part: JsonObject): Markup {
  const { bold, italic, strike, code } = toObject(part['style']);
  const text = toText(part['text']);
  const address = toText(part['url']);
  const plain = part['type'] === 'link' ? renderLink(address, text || address) : renderLeaf(part, text);
  const coded = code === true ? html`<code>${plain}</code>` : plain;
  const struck = strike === true ? html`<s>${coded}</s>` : coded;
  const slanted = italic === true ? html`<em>${struck}</em>` : struck;
  return bold === true ? html`<strong>${slanted}</strong>` : slanted;
}

function renderLeaf(part: JsonObject, text: string): Markup {
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
