import { describe, expect, it } from 'vitest';

import { createClient } from '../create-client.ts';
import { catchFault } from '../testing/catch-fault.ts';
import { makeConnection } from '../testing/make-connection.ts';
import { createMcpFetch, limitBody } from './mcp-fetch.ts';

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
      mcpUrl: 'http://mcp.example',
      operation: { id: 'mcp.listTools' },
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

/** A body that ends only when it is given up. */
function endless(piece: string) {
  const state = { sent: 0, isCancelled: false };
  const body = new ReadableStream({
    pull(controller) {
      state.sent += 1;
      controller.enqueue(Buffer.from(piece));
    },
    cancel() {
      state.isCancelled = true;
    },
  });
  return { state, body };
}

describe('limitBody', () => {
  it('hands over a body up to the limit', async () => {
    const faults: unknown[] = [];
    const watched = limitBody(new Response('12345678'), 8, (error) => faults.push(error));
    expect(await watched.text()).toBe('12345678');
    expect(faults).toEqual([]);
  });

  it('ends one beyond the limit, gives up its rest and tells of it', async () => {
    const { state, body } = endless('1234');
    const faults: unknown[] = [];
    const watched = limitBody(new Response(body), 8, (error) => faults.push(error));
    await expect(watched.text()).rejects.toThrow('the answer is over 8 bytes');
    expect(faults).toEqual([expect.any(RangeError)]);
    expect(state.isCancelled).toBe(true);
    expect(state.sent).toBeLessThan(6);
  });
});

describe('an event stream of the MCP server', () => {
  it('that never ends is unreadable, and is not taken in', async () => {
    const { state, body } = endless(`: ${'a'.repeat(1024 * 1024)}\n`);
    const connection = makeConnection('http://127.0.0.1:9', {
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    });
    const error = await catchFault(
      createClient({ ...connection, mcpUrl: 'http://127.0.0.1:9' }).mcp.listTools(),
    );
    expect(error).toMatchObject({ code: 'unreadable', detail: 'the answer is too large', retryable: false });
    expect(state.sent).toBeLessThan(80);
  });
});
