import { afterEach, expect, it } from 'vitest';

import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

let started: TestReceiver | undefined;
afterEach(() => started?.receiver.close());

const token = 'admin-token-0123456789';

async function ask(path: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(`${started?.url}${path}`, init);
  return `${answer.status} ${await answer.text()}`;
}

it('answers strangers, and leaves to Express what operators and browsers may ask for', async () => {
  started = await startTestReceiver({ adminToken: token, endpoints: { byName: new Map() } });
  const headers = { authorization: `Bearer ${token}` };
  expect([
    await ask('/healthz'),
    await ask('/readyz?a=1'),
    await ask('/READYZ/'),
    await ask('/api/refusals'),
    await ask('/API/refusals'),
    await ask('/api'),
    await ask('/metrics', { headers: { authorization: 'Bearer wrong' } }),
    await ask('/x'),
    await ask('/readyzz', { method: 'POST', body: 'x' }),
    await ask('/apis', { headers }),
    await ask('/hooks'),
  ]).toEqual([
    '200 {"status":"ok"}',
    '200 {"status":"ready","endpoints":0}',
    '200 {"status":"ready","endpoints":0}',
    '401 {"status":"refused","reason":"unauthorized"}',
    '401 {"status":"refused","reason":"unauthorized"}',
    '401 {"status":"refused","reason":"unauthorized"}',
    '401 {"status":"refused","reason":"unauthorized"}',
    '404 {"status":"refused","reason":"not_found"}',
    '404 {"status":"refused","reason":"not_found"}',
    '404 {"status":"refused","reason":"not_found"}',
    '404 {"status":"refused","reason":"not_found"}',
  ]);
  expect(await ask('/api/refusals', { headers })).toMatch(/^200 \{"refusals":\[\]/);
  expect(await ask('/')).toMatch(/^200 this: an Aftermeet receiver/);
  expect(await ask('/readyz', { method: 'POST' })).toBe('405 {"status":"refused","reason":"wrong_method"}');
});

it('says how long to wait when a peer asks too often for what is not there, and takes its deliveries', async () => {
  started = await startTestReceiver({}, { refusals: { burst: 2, perSecond: 0.5 } });
  expect([await ask('/a'), await ask('/b')].map((text) => text.slice(0, 3))).toEqual(['404', '404']);
  const answer = await fetch(`${started.url}/c`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
  // The refusals of all routes count together.
  expect((await fetch(`${started.url}/hooks/none`, { method: 'POST' })).status).toBe(429);
});
