import { createServer } from 'node:http';

import { expect, it } from 'vitest';

import { startListening, stopListening } from './listen.ts';

it('keeps a connection open for longer than a client in the same process may compute', async () => {
  const server = createServer((_request, response) => response.end());
  const address = await startListening(server);
  const response = await fetch(`http://${address}/`);
  expect(response.headers.get('keep-alive')).toBe('timeout=65');
  await stopListening(server);
});
