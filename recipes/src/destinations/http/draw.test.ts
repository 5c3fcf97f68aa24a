import { expect, it } from 'vitest';

import { drawHttpPost } from './draw.ts';
import { HttpAddress } from './send-http-post.ts';

it('shows a body with indents, or as it is when it is not JSON, and no address', () => {
  const url = new URL('https://example.com/hook?token=secret-token');
  const to = new HttpAddress({ url, keys: [], headers: {}, isPrivateAllowed: false });
  expect(drawHttpPost({ body: '{"title":"Weekly sync"}', to }).text).toBe(
    '<pre>{\n  &quot;title&quot;: &quot;Weekly sync&quot;\n}</pre>',
  );
  expect(drawHttpPost({ body: 'title=Weekly & {sync', to }).text).toBe('<pre>title=Weekly &amp; {sync</pre>');
});
