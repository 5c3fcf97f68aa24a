import { describe, expect, it } from 'vitest';

import { catchFault } from '../testing/catch-fault.ts';
import { makeConnection } from '../testing/make-connection.ts';
import { createMcpFetch } from './create-mcp-fetch.ts';

describe('createMcpFetch', () => {
  it.each([
    'http://evil.example/mcp',
    'http://mcp.example/other',
    'https://mcp.example/mcp',
    'http://mcp.example:8080/mcp',
    'http://mcp.example/mcp?x=1',
  ])('sends nothing to %s', async (url) => {
    let sent = 0;
    const connection = makeConnection('http://127.0.0.1:9', {
      fetch: async () => {
        sent += 1;
        return new Response();
      },
    });
    const { fetch: send, lastFault } = createMcpFetch(connection, {
      address: new URL('http://mcp.example/mcp'),
      doing: 'mcp.listTools: MCP tools/list',
      signal: new AbortController().signal,
      onBroken: () => {},
    });
    expect(await catchFault(send(url))).toMatchObject({ code: 'redirected' });
    expect(lastFault()?.code).toBe('redirected');
    expect(sent).toBe(0);
    await send('http://mcp.example/mcp');
    expect(lastFault()).toBeUndefined();
    expect(sent).toBe(1);
  });
});
