import { html, type Markup } from '../../web/markup.ts';
import { readText, type Parts } from '../../web/read-parts.ts';
import { renderMrkdwn } from './render-mrkdwn.ts';

/** A text object, or an image among texts. */
export function renderText(text: Parts): Markup {
  if (text['type'] === 'image') return html`[${readText(text['alt_text'])}]`;
  return text['type'] === 'mrkdwn' ? renderMrkdwn(readText(text['text'])) : html`${readText(text['text'])}`;
}
