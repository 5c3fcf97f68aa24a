import { afterEach, describe, expect, it } from 'vitest';

import { createClient } from './create-client.ts';
import { catchFault } from './testing/catch-fault.ts';
import { createTestServers } from './testing/start-servers.ts';

const servers = createTestServers();
afterEach(() => servers.stopAll());

const refusal =
  "the key begins with sandbox_ and this host is not a sandbox: set the service's own key, or the address of a sandbox";

interface Host {
  readonly client: ReturnType<typeof createClient>;
  /** Method, path and key of each request. */
  readonly asked: string[];
}

/** A host that answers to its identity as told, to everything else with `processed`. */
async function startHost(apiKey: string, identity: { status: number; body: string }): Promise<Host> {
  const asked: string[] = [];
  const url = await servers.start((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    asked.push(`${request.method ?? ''} ${path} ${String(request.headers['x-api-key'] ?? '')}`);
    const isIdentity = path === '/_sandbox/identity';
    response.writeHead(
      isIdentity ? identity.status : 200,
      isIdentity ? {} : { 'Content-Type': 'text/plain' },
    );
    response.end(isIdentity ? identity.body : 'processed');
  });
  const client = createClient({ baseUrl: url, apiKey, retries: 1, wait: async () => {} });
  return { client, asked };
}

const sandbox = { status: 200, body: '{"sandbox":"aftermeet"}' };

describe('a key that begins with sandbox_', () => {
  it('goes to a sandbox, which is asked once who it is', async () => {
    const { client, asked } = await startHost('sandbox_key', sandbox);
    await client.recordings.status('m');
    await client.recordings.status('m');
    expect(asked).toEqual([
      'GET /_sandbox/identity ',
      'GET /api/meeting/status sandbox_key',
      'GET /api/meeting/status sandbox_key',
    ]);
  });

  it.each([
    [404, ''],
    [401, '{"code":"UNAUTHORIZED"}'],
    [200, '<html></html>'],
    [200, '{"sandbox":"another"}'],
    [200, 'long'],
    [302, ''],
  ])('goes to no other host: its identity is %s %j', async (status, body) => {
    const { client, asked } = await startHost('sandbox_key', {
      status,
      body: body === 'long' ? 'x'.repeat(100_000) : body,
    });
    const calls = [
      () => client.recordings.status('m'),
      () => client.recordings.start({ link: 'https://zoom.us/j/1' }),
      () => client.uploads.send({ bytes: Buffer.from('fLaC\0'), filename: 'x.flac' }),
      () => client.mcp.listTools(),
      () => client.exports.stream({ meetingId: 'm', format: 'pdf' }),
    ];
    for (const call of calls) {
      expect(await catchFault(call())).toMatchObject({
        code: 'bad_request',
        detail: refusal,
        unsent: true,
        retryable: false,
      });
    }
    expect(new Set(asked)).toEqual(new Set(['GET /_sandbox/identity ']));
  });

  it('is held back, and the call repeated, while the host says nothing of itself', async () => {
    const { client, asked } = await startHost('sandbox_key', { status: 503, body: 'soon' });
    expect(await catchFault(client.recordings.start({ link: 'https://zoom.us/j/1' }))).toMatchObject({
      code: 'server',
      status: 503,
      unsent: true,
    });
    expect(asked).toEqual(['GET /_sandbox/identity ', 'GET /_sandbox/identity ']);
  });
});

it('goes to a sandbox below a path, which is asked there', async () => {
  const asked: string[] = [];
  const url = await servers.start((request, response) => {
    asked.push(request.url?.split('?')[0] ?? '');
    const isIdentity = request.url === '/tenant/_sandbox/identity';
    response.writeHead(request.url?.startsWith('/tenant/') === true ? 200 : 404);
    response.end(isIdentity ? sandbox.body : 'processed');
  });
  const client = createClient({ baseUrl: `${url}/tenant`, apiKey: 'sandbox_key', retries: 0 });
  await client.recordings.status('m');
  expect(asked).toEqual(['/tenant/_sandbox/identity', '/tenant/api/meeting/status']);
});

it('makes no identity request for another key', async () => {
  const { client, asked } = await startHost('key_for_tests_only', sandbox);
  await client.recordings.status('m');
  expect(asked).toEqual(['GET /api/meeting/status key_for_tests_only']);
});
