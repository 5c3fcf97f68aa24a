import { describe, expect, it } from 'vitest';

import { mcpMethods } from '../resources/mcp.ts';
import { catchFault } from '../testing/catch-fault.ts';
import { makeConnection } from '../testing/make-connection.ts';
import { watchBody } from './watch-body.ts';

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

describe('watchBody', () => {
  it('hands over a body up to the limit', async () => {
    const faults: unknown[] = [];
    const watched = watchBody(new Response('12345678'), 8, (error) => faults.push(error));
    expect(await watched.text()).toBe('12345678');
    expect(faults).toEqual([]);
  });

  it('ends one beyond the limit, gives up its rest and tells of it', async () => {
    const { state, body } = endless('1234');
    const faults: unknown[] = [];
    const watched = watchBody(new Response(body), 8, (error) => faults.push(error));
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
    const error = await catchFault(mcpMethods(connection, 'http://127.0.0.1:9').listTools());
    expect(error).toMatchObject({ code: 'unreadable', detail: 'the answer is too large', retryable: false });
    expect(state.sent).toBeLessThan(80);
  });
});
