import { listOperations } from '@aftermeet/contract';
import { afterEach, describe, expect, it } from 'vitest';

import type { ClientOptions } from './client.ts';
import { createClient } from './create-client.ts';
import { ServiceError } from './errors.ts';
import { operationMethods } from './operation-methods.ts';
import { createTestServers } from './testing/start-servers.ts';

const servers = createTestServers();
afterEach(() => servers.stopAll());

const good: ClientOptions = { baseUrl: 'https://service.example', apiKey: 'key_for_tests_only' };

/** The message, of options as JavaScript callers may hand them over. */
function refusalOf(options: { readonly [name: string]: unknown }): string {
  try {
    createClient({ ...good, ...options });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'bad_request') return error.message;
    throw error;
  }
  return 'taken';
}

describe('createClient', () => {
  const kind = 'must be a web address that begins with https:// or http://';
  const user = `${kind}, without a user or password`;
  const query = `${kind}, without a query or a fragment (? or #)`;

  it.each([
    [undefined, kind],
    ['', kind],
    ['service.example', kind],
    ['ftp://service.example', kind],
    ['file:///etc/passwd', kind],
    ['javascript:alert(1)', kind],
    [7, kind],
    ['https://ann:hunter2@service.example', user],
    ['https://hunter2@service.example', user],
    ['https://service.example?key=hunter2', query],
    ['https://service.example?', query],
    ['https://service.example/#hunter2', query],
  ])('refuses the base address %j', (baseUrl, rule) => {
    const message = refusalOf({ baseUrl });
    expect(message).toBe(`createClient bad_request: baseUrl ${rule}`);
    expect(message).not.toContain('hunter2');
  });

  it.each(['http://127.0.0.1:4010', 'https://service.example/', 'https://[::1]:8443/a/b//'])(
    'takes the base address %j',
    (baseUrl) => {
      expect(refusalOf({ baseUrl, mcpUrl: baseUrl })).toBe('taken');
    },
  );

  it('names every broken rule, and the MCP address only where it was given', () => {
    expect(refusalOf({ baseUrl: 'x', mcpUrl: 'y', timeoutMs: 0, retries: -1 })).toBe(
      `createClient bad_request: baseUrl ${kind}; mcpUrl ${kind}; ` +
        'timeoutMs must be a whole number from 1 to 2147483647; found the number 0; ' +
        'retries must be a whole number from 0 to 100; found the number -1',
    );
    expect(refusalOf({ mcpUrl: 'https://mcp.example/mcp/' })).toBe(
      'createClient bad_request: mcpUrl must be given without /mcp at its end, which is added',
    );
  });

  it.each([undefined, '', ' ', 'two words', 'key\n', 'key\r\nX-Evil: 1', 'schlüssel', 'k\u0000y', 5])(
    'refuses the key %j without repeating it',
    (apiKey) => {
      expect(refusalOf({ apiKey })).toBe(
        'createClient bad_request: apiKey must be the key as the service shows it: ' +
          'ASCII characters without blanks or line ends',
      );
    },
  );

  it('keeps the path in front of the service’s own paths', async () => {
    const asked: string[] = [];
    const baseUrl = await servers.start((request, response) => {
      asked.push(String(request.url));
      response.end('new');
    });
    await createClient({ ...good, baseUrl: `${baseUrl}/tenant/a//` }).recordings.status('m');
    expect(asked).toEqual(['/tenant/a/api/meeting/status?meeting_id=m']);
  });

  it('has the method that the table of operations names', () => {
    const client: unknown = createClient(good);
    for (const { id } of listOperations()) {
      expect(operationMethods).toHaveProperty([id]);
    }
    for (const name of Object.values(operationMethods)) {
      expect(client, name).toHaveProperty(name, expect.any(Function));
    }
  });
});
