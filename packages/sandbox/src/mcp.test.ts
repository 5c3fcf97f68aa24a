import { request } from 'node:http';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';

import { startTestSandbox, useTestSandbox } from './testing/sandbox.ts';

const service = useTestSandbox({ allowedHosts: ['sandbox'] });

async function connect(mode: 'legacy' | { pin: string }, key = 'sandbox_key'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  const headers = { Authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

describe.each([['legacy' as const], [{ pin: '2026-07-28' }]])('an MCP client (%j)', (mode) => {
  it('lists the tools with their schemas', async () => {
    const { tools } = await (await connect(mode)).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search_meetings', 'get_transcript', 'get_report']);
    expect(tools[1]).toMatchObject({
      inputSchema: { type: 'object', required: ['meeting_id'], additionalProperties: false },
    });
  });

  it('finds meetings', async () => {
    const meetingId = await service.holdMeeting({ title: 'Sales plans', source: 'zoom' });
    await service.holdMeeting({ title: 'Other' });
    const client = await connect(mode);
    const result = await client.callTool({
      name: 'search_meetings',
      arguments: { query: 'SALES', sources: ['zoom'], date_from: '2026-07-07', date_to: '2026-07-07' },
    });
    expect(result.structuredContent).toEqual({
      total: 1,
      meetings: [
        {
          meeting_id: meetingId,
          title: 'Sales plans',
          date: '2026-07-07T12:00:00.000Z',
          source: 'zoom',
          status: 'new',
          tags: [],
        },
      ],
    });
    expect(result.content).toEqual([
      { type: 'text', text: expect.stringContaining(`Sales plans (${meetingId}, new)`) as string },
    ]);
    const limited = await client.callTool({ name: 'search_meetings', arguments: { limit: 1 } });
    expect(limited.structuredContent).toMatchObject({ total: 2, meetings: [{ title: 'Other' }] });
  });

  it('reads transcript and report', async () => {
    const meetingId = await service.holdMeeting();
    const client = await connect(mode);
    const transcript = await client.callTool({
      name: 'get_transcript',
      arguments: { meeting_id: meetingId },
    });
    const { segments } = transcript.structuredContent as { segments: unknown[] };
    expect(segments).toHaveLength(14);
    expect(segments[0]).toMatchObject({ speaker: 'Maya Lindqvist', start_seconds: 4 });
    expect(transcript.content).toMatchObject([
      {
        type: 'text',
        text: expect.stringMatching(/^00:04 Maya Lindqvist: Thanks for making it\./) as string,
      },
    ]);
    const report = await client.callTool({ name: 'get_report', arguments: { meeting_id: meetingId } });
    expect(report.structuredContent).toMatchObject({
      meeting_id: meetingId,
      title: 'Launch review: shared calendars',
      templates: [
        {
          name: 'default-meeting',
          blocks: [
            { name: 'summary' },
            { name: 'decisions' },
            {
              name: 'tasks',
              text: expect.stringMatching(/^- Start the copy .* \(Priya Raman, due 2026-07-13\)\n/) as string,
            },
          ],
        },
      ],
    });
    expect(report.content).toMatchObject([
      { text: expect.stringContaining('## Decisions\n\n- Launch on Tuesday') as string },
    ]);
  });

  it('is told what is wrong as a result', async () => {
    const client = await connect(mode);
    const running = await service.record();
    const call = async (meetingId: unknown) =>
      client.callTool({ name: 'get_report', arguments: { meeting_id: meetingId } });
    expect(await call('unknown')).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'No meeting has this meeting_id.' }],
    });
    expect(await call(running)).toMatchObject({
      isError: true,
      content: [{ text: 'Meeting is in progress now, status: recording' }],
    });
    expect(await call(7)).toMatchObject({ isError: true });
  });

  it('is refused with another key', async () => {
    await expect(connect(mode, 'sandbox_kez')).rejects.toMatchObject({ data: { status: 401 } });
  });
});

describe('the MCP endpoint', () => {
  const wants = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };

  /** `fetch` cannot set the Host header. */
  function post(headers: Record<string, string>) {
    return new Promise<{ status: number | undefined; challenge: string | undefined }>((resolve, reject) => {
      const sent = request(`${service.url}/mcp`, { method: 'POST', headers: { ...wants, ...headers } });
      sent.on('response', (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode, challenge: answer.headers['www-authenticate'] });
      });
      sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    });
  }

  const authorization = { Authorization: 'Bearer sandbox_key' };

  it.each([
    [{}],
    [{ Authorization: 'Bearer ' }],
    [{ Authorization: 'Basic sandbox_key' }],
    [{ Authorization: 'Bearer sandbox_key2' }],
    [{ 'X-API-KEY': 'sandbox_key' }],
  ])('answers 401 and a challenge to %j', async (headers) => {
    const { status, challenge } = await post(headers);
    expect([status, challenge]).toEqual([401, expect.stringMatching(/^Bearer /)]);
  });

  it('answers under its own names and the allowed ones only', async () => {
    expect((await post(authorization)).status).toBe(200);
    expect((await post({ ...authorization, Host: 'sandbox:4010' })).status).toBe(200);
    expect((await post({ ...authorization, Host: 'evil.example' })).status).toBe(403);
    expect((await post({ ...authorization, Origin: 'https://evil.example' })).status).toBe(403);
  });

  it('takes a call for a report or a transcript as a question for its meeting', async () => {
    const polled = await startTestSandbox({ transitions: { polls: 1 } });
    const params = { arguments: { meeting_id: await polled.record() } };
    const ask = async (name: string): Promise<unknown> => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, ...params } };
      return (await polled.call('POST', '/mcp', call, { ...wants, ...authorization })).body;
    };
    expect(JSON.stringify(await ask('get_report'))).toContain('status: processing');
    expect(JSON.stringify(await ask('get_transcript'))).toContain('Maya Lindqvist');
    await polled.sandbox.close();
  });

  it('keeps no session', async () => {
    const response = await fetch(`${service.url}/mcp`, {
      headers: { ...authorization, Accept: 'text/event-stream' },
    });
    expect(response.status).toBe(405);
  });
});
