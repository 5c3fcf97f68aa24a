import { html, type Markup } from '../../../web/markup.ts';
import { describeSpan } from './describe-span.ts';

/** A time in UTC; a text that is no time stays as it is. */
export function renderTime(iso: string): Markup {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return html`${iso}`;
  const text = time.toISOString();
  return html`<time datetime="${text}">${text.slice(0, -5).replace('T', ' ')} UTC</time>`;
}

/** A time to come, and how long it is until then. Both in the sandbox's time, Unix milliseconds. */
export function renderDueTime(atMs: number, nowMs: number): Markup {
  const wait = atMs <= nowMs ? 'now' : `in ${describeSpan(atMs - nowMs)}`;
  return html`${renderTime(new Date(atMs).toISOString())} (${wait})`;
}
