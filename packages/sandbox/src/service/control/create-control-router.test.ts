import { request } from 'node:http';

import { expect, it } from 'vitest';

import { startDeliveringSandbox } from '../../testing/start-delivering-sandbox.ts';

/** The answer's status; fetch lets nobody choose the Host header. */
function askWithHeaders(address: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(address, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

it("answers only to this machine's own names, and to no other site's page", async () => {
  const { url } = await startDeliveringSandbox({ allowedHosts: ['sandbox'] });
  const ask = (headers: Record<string, string>) => askWithHeaders(`${url}/_sandbox/deliveries`, headers);
  const { host, port } = new URL(url);
  expect(await ask({ Host: 'rebound.example.com' })).toBe(403);
  expect(await ask({ Host: `rebound.example.com:${port}` })).toBe(403);
  expect(await ask({ Host: '127.0.0.1.example.com' })).toBe(403);
  expect(await ask({ Host: host, Origin: 'https://evil.example.com' })).toBe(403);
  expect(await ask({ Host: host, Origin: 'null' })).toBe(403);
  expect(await ask({ Host: host, Origin: `http://${host}` })).toBe(200);
  expect(await ask({ Host: `localhost:${port}` })).toBe(200);
  expect(await ask({ Host: '[::1]' })).toBe(200);
  expect(await ask({ Host: 'sandbox:4010' })).toBe(200);
});

it('has no other routes than its own', async () => {
  const { post } = await startDeliveringSandbox();
  expect(await post('/_sandbox/unknown')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});

it('says what is wrong with a request that cannot be read', async () => {
  const { url } = await startDeliveringSandbox();
  const send = async (path: string, body: string, type = 'application/json'): Promise<unknown> => {
    const headers = { 'Content-Type': type };
    const response = await fetch(`${url}/_sandbox${path}`, { method: 'POST', headers, body });
    return [response.status, ((await response.json()) as { message: string }).message];
  };
  expect(await send('/seed', '{')).toEqual([400, 'The body must be JSON in UTF-8.']);
  expect(await send('/seed', JSON.stringify('x'.repeat(200_000)))).toEqual([
    400,
    'The body must have at most 100 kB.',
  ]);
  const advice = 'The body was not read: send JSON with Content-Type: application/json.';
  expect(await send('/faults', '{"kind":"reset"}', 'text/plain')).toEqual([400, advice]);
  expect(await send('/reset', '{', 'application/octet-stream')).toEqual([400, advice]);
  expect(await send('/faults', '{"kind":"reset"}', 'application/x-www-form-urlencoded')).toEqual([
    400,
    advice,
  ]);
  expect(await send('/reset', '', 'text/plain')).toEqual([200, undefined]);
  expect(await send('/meetings/%zz/complete', '{}')).toEqual([
    400,
    'The path must be percent-encoded UTF-8.',
  ]);
});
