import { html, type Markup, type MarkupValue } from '../../web/markup.ts';
import { renderLink } from '../../web/render-link.ts';

/** Within `<>` Slack escapes a `<`: so a text full of them is not searched to its end for each. */
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

/** Slack's own light markup as people see it: https://docs.slack.dev/messaging/formatting-message-text */
export function renderMrkdwn(text: string): Markup {
  const parts: MarkupValue[] = [];
  let end = 0;
  for (const token of text.matchAll(tokenPattern)) {
    parts.push(unescapeMrkdwn(text.slice(end, token.index)), renderToken(token.groups ?? {}));
    end = token.index + token[0].length;
  }
  return html`${parts}${unescapeMrkdwn(text.slice(end))}`;
}

function renderToken(found: Readonly<Record<string, string | undefined>>): Markup {
  const { block, code, date, name, nameLabel, address, label, bold, italic, strike } = found;
  if (block !== undefined) return html`<pre>${unescapeMrkdwn(block)}</pre>`;
  if (code !== undefined) return html`<code>${unescapeMrkdwn(code)}</code>`;
  if (date !== undefined) return html`${unescapeMrkdwn(date)}`;
  if (name !== undefined) return html`<span class="pill">${unescapeMrkdwn(nameLabel ?? name)}</span>`;
  if (address !== undefined) return renderLink(unescapeMrkdwn(address), unescapeMrkdwn(label ?? address));
  if (bold !== undefined) return html`<strong>${renderMrkdwn(bold)}</strong>`;
  if (italic !== undefined) return html`<em>${renderMrkdwn(italic)}</em>`;
  return html`<s>${renderMrkdwn(strike ?? '')}</s>`;
}

/** Slack's three escapes. */
function unescapeMrkdwn(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
