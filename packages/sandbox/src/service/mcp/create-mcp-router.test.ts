import type { AddressInfo } from 'node:net';

import express from 'express';
import { expect, it } from 'vitest';

import { createMcpRouter } from './create-mcp-router.ts';

/** A router whose SDK cannot be loaded at the first request. */
async function serve() {
  let loads = 0;
  const mcp = createMcpRouter([], async () => {
    loads += 1;
    if (loads === 1) throw new Error('Too many open files.');
    const router = express.Router();
    router.use((_request, response) => {
      response.json({ loads });
    });
    return { router, close: async () => {} };
  });
  const app = express().use(mcp.router);
  app.use((_error: unknown, _request: unknown, response: express.Response, _next: unknown) => {
    response.status(500).json({});
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { mcp, url, server };
}

it('loads the SDK again when it could not be loaded, and keeps it then', async () => {
  const { url, server, mcp } = await serve();
  try {
    expect((await fetch(url)).status).toBe(500);
    expect(await (await fetch(url)).json()).toEqual({ loads: 2 });
    expect(await (await fetch(url)).json()).toEqual({ loads: 2 });
    await mcp.close();
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
