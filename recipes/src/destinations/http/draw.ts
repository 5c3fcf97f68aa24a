import { html, type Markup } from '@aftermeet/pages';

import type { HttpPost } from './send-http-post.ts';

export function drawHttpPost(post: HttpPost): Markup {
  return html`<pre>${writeHttpPost(post)}</pre>`;
}

/** The body of a request: JSON indented, any other as it is sent. */
export function writeHttpPost({ body }: HttpPost): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
