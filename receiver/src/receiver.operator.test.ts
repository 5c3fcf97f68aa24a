import { afterEach, describe, expect, it } from 'vitest';

import { createEndpointBox } from './endpoint-box.ts';
import { eventText, SECRET, signedHeaders } from './testing/event-text.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { readAll } from './testing/read-socket.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

let house: TestReceiver | undefined;
afterEach(() => house?.receiver.close());

async function deliver(url: string, body: string, more: Record<string, string> = {}): Promise<number> {
  const headers = { ...signedHeaders(body), ...more };
  return (await fetch(`${url}/hooks/default`, { method: 'POST', body, headers })).status;
}

describe('GET /metrics', () => {
  it('counts what became of the deliveries, for the operator only', async () => {
    house = await startTestReceiver({ adminToken: 'admin-token-0123456789' });
    const { url } = house;
    await deliver(url, eventText(), { 'x-service-delivery': 'd-1' });
    await deliver(url, eventText({ meeting_id: 'm_2' }), { 'x-service-delivery': 'd-1' });
    await deliver(url, eventText(), { 'x-service-signature': 'sha256=0' });
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const headers = { authorization: 'Bearer admin-token-0123456789' };
    const answer = await fetch(`${url}/metrics`, { headers });
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await answer.text();
    expect(text).toContain('\naftermeet_deliveries_total{outcome="accepted"} 2\n');
    expect(text).toContain('\naftermeet_deliveries_total{outcome="unauthorized"} 1\n');
    expect(text).toContain('\naftermeet_delivery_conflicts_total 1\n');
    expect(text).toContain('\naftermeet_refused_causes_total{cause="malformed_signature"} 1\n');
    expect(text).toContain('\naftermeet_delivery_seconds_count 3\n');
    const id = house.stored[1]?.jobId;
    expect(house.lines).toContain(
      `this delivery id came with another body before {"endpoint":"default","id":"${id}","deliveryId":"d-1"}`,
    );
  });
});

describe('POST /api/reload', () => {
  it('makes the next delivery meet the new secrets', async () => {
    const endpointsOf = (secret: string) => ({ byName: new Map([['default', { secrets: [secret] }]]) });
    const box = createEndpointBox(endpointsOf('another-secret-0123456789'));
    house = await startTestReceiver({
      endpoints: box.endpoints,
      reload: async () => {
        box.replace(endpointsOf(SECRET));
        return { ok: true, endpoints: ['default'] };
      },
    });
    expect(await deliver(house.url, eventText())).toBe(401);
    const answer = await fetch(`${house.url}/api/reload`, { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true, endpoints: ['default'] }]);
    expect(await deliver(house.url, eventText())).toBe(200);
  });

  it('says what is wrong with the file, and is for the operator, by POST', async () => {
    const reload = () => Promise.resolve({ ok: false as const, problems: ['endpoints.sales: no secret'] });
    house = await startTestReceiver({ reload });
    const url = `${house.url}/api/reload`;
    const answer = await fetch(url, { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { ok: false, problems: ['endpoints.sales: no secret'] },
    ]);
    const wrong = await fetch(url);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    const foreign = { method: 'POST', headers: { origin: 'https://evil.example' } };
    expect((await fetch(url, foreign)).status).toBe(401);
  });
});

describe('the operator’s side', () => {
  it('is ready when the queue answers', async () => {
    house = await startTestReceiver();
    expect(await (await fetch(`${house.url}/readyz`)).json()).toEqual({ status: 'ready' });
    expect((await fetch(`${house.url}/nowhere`)).status).toBe(404);
  });

  it('wants the token where one is set', async () => {
    house = await startTestReceiver({ adminToken: 'admin-token-0123456789' });
    const { url } = house;
    const statusWith = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${url}/api/refusals`, { headers })).status;
    expect(await statusWith({})).toBe(401);
    expect(await statusWith({ authorization: 'Bearer admin-token-0123456780' })).toBe(401);
    expect(await statusWith({ authorization: 'Bearer admin-token-0123456789' })).toBe(200);
  });

  it('answers nobody who asks under another name for this machine', async () => {
    house = await startTestReceiver();
    const socket = house.open(true);
    socket.end('GET /api/refusals HTTP/1.1\r\nhost: evil.example\r\n\r\n');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('answers nobody through a proxy on this machine', async () => {
    house = await startTestReceiver();
    const names =
      'forwarded via x-real-ip cf-connecting-ip true-client-ip x-client-ip x-cluster-client-ip ' +
      'x-forwarded-for x-forwarded-port X-Forwarded-Ssl';
    for (const name of names.split(' ')) {
      const headers = { [name]: '203.0.113.9' };
      expect((await fetch(`${house.url}/api/refusals`, { headers })).status).toBe(401);
    }
  });

  it('answers nobody whom a page of another site sent', async () => {
    house = await startTestReceiver();
    const statusFrom = async (site: string): Promise<number> => {
      const socket = house?.open(true);
      socket?.end(`GET /api/refusals HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: ${site}\r\n\r\n`);
      return Number((socket && (await readAll(socket)))?.split(' ')[1]);
    };
    expect(await statusFrom('cross-site')).toBe(401);
    expect(await statusFrom('same-site')).toBe(401);
    expect(await statusFrom('same-origin')).toBe(200);
    expect(await statusFrom('none')).toBe(200);
  });

  it.each([
    ['http://evil.example/api/refusals', 401],
    ['http://localhost@evil.example/api/refusals', 401],
    ['http://127.0.0.1:80/api/refusals', 200],
    ['http://localhost/api/refusals', 200],
  ])('goes by the name in a target of absolute form: %s is %i', async (target, status) => {
    house = await startTestReceiver();
    const socket = house.open(true);
    socket.end(`GET ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    expect(Number((await readAll(socket)).split(' ')[1])).toBe(status);
  });

  it('is for nobody where a token is required and none is set', async () => {
    house = await startTestReceiver({ requireToken: true });
    const headers = { authorization: 'Bearer ' };
    expect((await fetch(`${house.url}/api/refusals`)).status).toBe(401);
    expect((await fetch(`${house.url}/metrics`, { headers })).status).toBe(401);
    expect((await fetch(`${house.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${house.url}/readyz`)).status).toBe(200);
  });

  it('says that the process is alive, by GET and HEAD', async () => {
    house = await startTestReceiver();
    const socket = house.open(true);
    const ask = (method: string): string => `${method} /HEALTHZ/?now HTTP/1.1\r\nhost: x\r\n\r\n`;
    socket.end(ask('HEAD') + ask('GET') + ask('POST'));
    const answers = (await readAll(socket)).split(/(?=HTTP\/1\.1 )/);
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '200', '405']);
    expect(answers.map((answer) => answer.split('\r\n\r\n')[1])).toEqual([
      '',
      '{"status":"ok"}',
      '{"status":"refused","reason":"wrong_method"}',
    ]);
    expect(answers[2]).toMatch(/\r\nallow: GET, HEAD\r\n/i);
  });

  it('logs one line for each delivery, without content', async () => {
    house = await startTestReceiver();
    const hook = `${house.url}/hooks/default`;
    const body = eventText({ data: { title: 'Confidential merger' } });
    await postDelivery(hook, body, { 'x-service-delivery': 'd-logged' });
    await postDelivery(hook, body, { 'x-service-signature': 'sha256=0' });
    expect(house.lines).toHaveLength(2);
    expect(house.lines[0]).toMatch(
      /^delivery accepted \{"endpoint":"default","ms":\d+(\.\d\d?)?,"id":"[0-9a-f]{64}"\}$/,
    );
    expect(house.lines[1]).toContain('malformed_signature');
    expect(house.lines.join('\n')).not.toMatch(/Confidential|whsec|merger/);
  });
});
