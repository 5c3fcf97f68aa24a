import { html, type Markup } from '@aftermeet/pages';

import type { HttpPost } from './send-http-post.ts';

/** The body of a request: JSON indented, any other as it is sent. */
export function drawHttpPost({ body }: HttpPost): Markup {
  return html`<pre>${formatBody(body)}</pre>`;
}

function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
