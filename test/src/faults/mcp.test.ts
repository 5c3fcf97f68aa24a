import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { brokenFaults, catchFault, type FaultyService, startFaultyService } from './faulty-service.ts';

// A tool may have side effects: a call is retried only as long as it was not sent.

const listing = 'mcp.listTools: MCP tools/list';
const calling = 'mcp.callTool: MCP tools/call';

let service: FaultyService;
/** How many requests one call takes; the last one is the call itself. */
let requests: number;

beforeAll(async () => {
  service = await startFaultyService();
  await service.holdMeeting('Found by tool');
  service.plan('mcp', { kind: 'latency', ms: 0, times: null });
  await service.connect().mcp.callTool('search_meetings');
  requests = service.countCalls();
});
afterAll(() => service.close());

describe.each(brokenFaults)('$name', ({ order, code, said }) => {
  it('is healed when the tools are listed, and in vain is an error of the listing', async () => {
    service.plan('mcp', { ...order, times: 1, after: requests - 1 });
    const client = service.connect({ retries: 1 });
    const { items } = await client.mcp.listTools();
    expect(items.map(({ name }) => name)).toContain('search_meetings');
    expect(client.waits).toHaveLength(1);
    service.plan('mcp', { ...order, times: null });
    const error = await catchFault(client.mcp.listTools());
    expect(error).toMatchObject({ code, operation: 'mcp.listTools', retryable: true });
    expect(error.message.slice(listing.length + 1)).toMatch(said);
  });

  it('is healed before a tool was called, and not repeated afterwards unless it was surely refused', async () => {
    service.plan('mcp', { ...order, times: 1 });
    const healed = service.connect({ retries: 1 });
    const result = await healed.mcp.callTool('search_meetings', { query: 'Found by tool' });
    expect(result).toMatchObject({ isError: false });
    expect(result.text).toContain('Found by tool');

    service.plan('mcp', { ...order, times: null, after: requests - 1 });
    const client = service.connect({ retries: 1 });
    const error = await catchFault(client.mcp.callTool('search_meetings'));
    const isRefused = code === 'rate_limited';
    expect(error).toMatchObject({ code, operation: 'mcp.callTool', retryable: isRefused });
    if (!isRefused) expect(error.message).toMatch(/; it may have taken effect$/);
    expect(client.waits).toHaveLength(isRefused ? 1 : 0);
  });
});

it('a server that does not answer a call is given up when the time is up', async () => {
  service.plan('mcp', { kind: 'hang', times: null, after: requests - 1 });
  const client = service.connect({ retries: 0, timeoutMs: 100 });
  expect(await catchFault(client.mcp.callTool('search_meetings'))).toMatchObject({
    code: 'timeout',
    message: `${calling} timeout: no answer in 100 ms; it may have taken effect`,
    retryable: false,
  });
});
