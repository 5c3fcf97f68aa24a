import { html, type Markup } from '../web/markup.ts';
import { readText } from '../web/read-parts.ts';
import { renderPage } from '../web/render-page.ts';
import { renderBlock } from './page/render-block.ts';
import { renderMrkdwn } from './page/render-mrkdwn.ts';
import type { SlackMessage } from './slack-message.ts';

/** The page of the Slack stand-in: every message as a reader of the channel would see it, newest first. */
export function renderSlackPage(messages: readonly SlackMessage[]): string {
  return renderPage({
    title: 'Slack stand-in',
    lead: 'What was posted to the local Slack. Nothing left this machine.',
    body:
      messages.length === 0
        ? html`<p class="empty">
            No message yet. Point a Slack client at this address with <code>/api/</code> behind it.
          </p>`
        : html`${messages.toReversed().map(renderMessage)}`,
  });
}

function renderMessage(message: SlackMessage): Markup {
  const replyTo = message.threadTs !== undefined && message.threadTs !== message.ts && message.threadTs;
  return html`<article class="card">
    <p class="row small soft">
      <strong>${message.channelAsked}</strong>
      ${replyTo !== false && html`<span class="pill">reply to ${replyTo}</span>`}
      <span class="end">${describeTime(message.ts)}</span>
    </p>
    ${renderContent(message)}
    ${message.metadata !== undefined && html`<p class="soft small">Metadata: <code>${message.metadata.event_type}</code></p>`}
  </article>`;
}

/** Slack shows the blocks where there are any; the text is then for notifications and screen readers. */
function renderContent({ blocks, attachments, text }: SlackMessage): Markup {
  const shown = blocks ?? [];
  return html`${shown.length > 0 ? shown.map(renderBlock) : html`<p class="box">${renderMrkdwn(text)}</p>`}
  ${(attachments ?? []).map((part) => html`<blockquote>${readText(part['text'] ?? part['fallback'])}</blockquote>`)}`;
}

function describeTime(ts: string): string {
  return `${new Date(Number(ts) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
