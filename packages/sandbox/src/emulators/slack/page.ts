import {
  html,
  type Markup,
  renderMrkdwn,
  renderPage,
  renderSlackBlock,
  toObjects,
  toText,
  type LooseObject,
} from '@aftermeet/pages';

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

function renderAttachment(attachment: LooseObject): Markup {
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
