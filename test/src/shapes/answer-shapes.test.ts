import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createClient, ServiceError } from '@aftermeet/client';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

// The specification leaves the shapes of many answers open. Each JSON file beside this test holds answers in shapes that
// a service may choose, the requests of the client, and what the client must make of the answers.

const exchangeSchema = z.strictObject({
  name: z.string(),
  /** A method of the client, such as `recordings.start`. */
  call: z.string(),
  input: z.unknown().optional(),
  answers: z.array(
    z.strictObject({
      status: z.number(),
      headers: z.record(z.string(), z.string()).optional(),
      json: z.unknown().optional(),
      text: z.string().optional(),
    }),
  ),
  requests: z.array(z.string()),
  /** What the call returns, without the fields called `raw`. */
  result: z.unknown().optional(),
  /** The name of an exchange in the same file that has the same result. */
  sameResultAs: z.string().optional(),
  /** Fields of the `ServiceError` that the call throws. */
  error: z.record(z.string(), z.unknown()).optional(),
});

type Exchange = z.infer<typeof exchangeSchema>;

describe.each(['recordings', 'reports', 'lists', 'tags', 'uploads', 'refusals'])('%s', (file) => {
  const text = readFileSync(new URL(`${file}.json`, import.meta.url), 'utf8');
  const exchanges = z.array(exchangeSchema).parse(JSON.parse(text));

  it.each(exchanges)('$name', async (exchange) => {
    const { requests, outcome } = await runCase(exchange);
    const same = exchanges.find(({ name }) => name === exchange.sameResultAs);
    const { result, error } = same ?? exchange;
    expect(requests).toEqual(exchange.requests);
    if (error === undefined) expect(outcome).toEqual(result);
    else expect(outcome).toMatchObject(error);
  });
});

/** Makes the call against a server that gives the answers in order. */
async function runCase({ call, input, answers }: Exchange) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { status, headers, json, text } = answers[requests.length] ?? { status: 599 };
      requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      const type = json === undefined ? 'text/plain' : 'application/json';
      response.writeHead(status, { ...headers, ...(status === 204 ? {} : { 'Content-Type': type }) });
      response.end(json === undefined ? text : JSON.stringify(json));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const outcome = await callClient(`http://127.0.0.1:${String(port)}`, call, input).catch(
      (error: unknown) => {
        if (error instanceof ServiceError) return error;
        throw error;
      },
    );
    return { requests, outcome };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function callClient(baseUrl: string, call: string, input: unknown): Promise<unknown> {
  const clock = (): number => Date.parse('2026-07-07T12:00:00Z');
  const client = createClient({ baseUrl, apiKey: 'test-of-shapes-1', retries: 0, clock });
  if (call === 'uploads.send') {
    const bytes = Buffer.from(z.string().parse(input));
    return withoutRaw(await client.uploads.send({ bytes, filename: 'call.mp3' }, {}, { anyType: true }));
  }
  if (call === 'meetings.search') {
    const found: unknown[] = [];
    for await (const page of client.meetings.search(input ?? {})) found.push(...page.items);
    return withoutRaw(found);
  }
  // The file says which method to call, and holds its input.
  const [resource = '', method = ''] = call.split('.');
  const methods = (client as unknown as Record<string, Record<string, (input: unknown) => unknown>>)[
    resource
  ];
  const answer = await methods?.[method]?.(input);
  return withoutRaw(method === 'list' ? z.object({ items: z.unknown() }).parse(answer).items : answer);
}

function withoutRaw(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRaw);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, held]) => name !== 'raw' && held !== undefined);
  return Object.fromEntries(kept.map(([name, held]) => [name, withoutRaw(held)]));
}
