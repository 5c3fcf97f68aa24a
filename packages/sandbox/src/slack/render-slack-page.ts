import { html, type Markup } from '../web/markup.ts';
import { readList, readText } from '../web/read-parts.ts';
import { renderPage } from '../web/render-page.ts';
import { isReply } from './find-slack-message.ts';
import { nameUsers } from './page/name-users.ts';
import { renderBlock } from './page/render-block.ts';
import { renderMrkdwn } from './page/render-mrkdwn.ts';
import type { SlackFile } from './slack-files.ts';
import type { SlackMessage, SlackObject } from './slack-message.ts';
import type { SlackUser } from './slack-users.ts';

/** The page of the Slack stand-in: every message as a reader of the channel would see it, newest first, with its thread. */
export function renderSlackPage(messages: readonly SlackMessage[], users: readonly SlackUser[] = []): string {
  return renderPage({
    title: 'Slack stand-in',
    lead: 'What was posted to the local Slack. Nothing left this machine.',
    body:
      messages.length === 0
        ? html`<p class="empty">
            No message yet. Point a Slack client at this address with <code>/api/</code> behind it.
          </p>`
        : html`${groupThreads(messages.map((message) => nameMentioned(message, users)))
            .toReversed()
            .map(renderThread)}`,
  });
}

function nameMentioned(message: SlackMessage, users: readonly SlackUser[]): SlackMessage {
  const { blocks } = message;
  if (blocks === undefined) return message;
  return { ...message, blocks: readList(nameUsers(blocks, users)) };
}

interface Thread {
  readonly parent: SlackMessage;
  readonly replies: SlackMessage[];
}

/** A reply whose parent is gone stands alone. */
function groupThreads(messages: readonly SlackMessage[]): readonly Thread[] {
  const threads = new Map<string, Thread>();
  for (const message of messages) {
    const thread = isReply(message) ? threads.get(`${message.channel} ${message.threadTs ?? ''}`) : undefined;
    if (thread === undefined)
      threads.set(`${message.channel} ${message.ts}`, { parent: message, replies: [] });
    else thread.replies.push(message);
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
  return html`<p class="row small soft">
      <strong>${message.channelAsked}</strong>
      ${message.isBroadcast === true && html`<span class="pill">also in the channel</span>`}
      ${message.editedTs !== undefined && html`<span class="pill">edited</span>`}
      <span class="end">${describeTime(message.ts)}</span>
    </p>
    ${renderContent(message)} ${(message.files ?? []).map(renderFile)}
    ${message.metadata !== undefined && html`<p class="soft small metadata">Metadata: <code>${message.metadata.event_type}</code></p>`}`;
}

/** Slack shows the blocks where there are any; the text is then for notifications and screen readers. */
function renderContent({ blocks, attachments, text }: SlackMessage): Markup {
  const shown = blocks ?? [];
  return html`${
    shown.length > 0
      ? html`${shown.map(renderBlock)} ${text !== '' && renderFallback(text)}`
      : html`<p class="box">${renderMrkdwn(text)}</p>`
  }
  ${(attachments ?? []).map(renderAttachment)}`;
}

function renderFallback(text: string): Markup {
  return html`<details class="small soft">
    <summary>What a screen reader says</summary>
    <p class="box">${renderMrkdwn(text)}</p>
  </details>`;
}

function renderAttachment(part: SlackObject): Markup {
  const blocks = Array.isArray(part['blocks']) ? part['blocks'] : [];
  return html`<blockquote>
    ${readText(part['title']) !== '' && html`<p><strong>${readText(part['title'])}</strong></p>`}
    ${blocks.length > 0 ? blocks.map(renderBlock) : readText(part['text'] ?? part['fallback'])}
  </blockquote>`;
}

function renderFile({ id, title, name, sizeBytes }: SlackFile): Markup {
  return html`<p class="small">
    <a href="/_sandbox/files/${id}">${title}</a> <span class="pill">${name} · ${sizeBytes} bytes</span>
  </p>`;
}

function describeTime(ts: string): string {
  return `${new Date(Number(ts) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
