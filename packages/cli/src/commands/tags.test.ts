import { createClient } from '@aftermeet/client';
import { afterEach, describe, expect, it } from 'vitest';

import { serve, type TestService } from '../testing/serve.ts';
import { resolveTags } from './tags.ts';

const UUID = '5b1f0f5e-8a3d-4c1b-9d2e-7a6b5c4d3e2f';
const tags = [
  { id: 'sales', name: 'Other' },
  { id: 't_1', name: 'Sales' },
  { id: 't_2', name: 'Straße' },
  { id: 't_3', name: 'Twice' },
  { id: 't_4', name: 'TWICE' },
];

let service: TestService | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function resolve(...given: readonly string[]): Promise<readonly string[]> {
  service = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ tags }));
  });
  const client = createClient({ baseUrl: service.url, apiKey: 'key_0123456789', retries: 0 });
  return resolveTags({ client, call: { signal: new AbortController().signal } }, given);
}

describe('resolveTags', () => {
  it.each([
    ['t_1', 't_1'],
    ['Sales', 't_1'],
    ['SALES', 't_1'],
    // The id of one is the name of another.
    ['sales', 'sales'],
    ['STRASSE', 't_2'],
    ['TWICE', 't_4'],
  ])('finds %s', async (given, id) => {
    expect(await resolve(given)).toEqual([id]);
    expect(service?.requests).toEqual(['GET /api/workspaces/active/tags?perPage=100']);
  });

  it('asks once for all of them, and not at all for ids', async () => {
    expect(await resolve(UUID, 'Sales', 't_3')).toEqual([UUID, 't_1', 't_3']);
    expect(service?.requests.length).toBe(1);
    await service?.close();
    expect(await resolve(UUID)).toEqual([UUID]);
    expect(service?.requests).toEqual([]);
  });

  it.each([
    ['Sale', 'No tag has the id or the name "Sale" (did you mean Sales?): aftermeet tags list shows them.\n'],
    ['twice', 'Several tags are called "twice": give the id of one. aftermeet tags list shows them.\n'],
    ['\u001B[31mred', 'No tag has the id or the name "red": aftermeet tags list shows them.\n'],
    [
      'x'.repeat(100),
      `No tag has the id or the name "${'x'.repeat(59)}…": aftermeet tags list shows them.\n`,
    ],
  ])('refuses %j', async (given, message) => {
    await expect(resolve(given)).rejects.toThrow(expect.objectContaining({ name: 'WrongUse', message }));
  });
});
