import { afterEach, describe, expect, it } from 'vitest';

import { createReloadableEndpoints } from './endpoints.ts';
import { eventText, NOW_SECONDS, SECRET, sign, signedHeaders } from './testing/event-text.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { readAll } from './testing/read-socket.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

let started: TestReceiver | undefined;
afterEach(() => started?.receiver.close());

async function deliver(url: string, body: string, more: Record<string, string> = {}): Promise<number> {
  const headers = { ...signedHeaders(body), ...more };
  return (await fetch(`${url}/hooks/default`, { method: 'POST', body, headers })).status;
}

describe('GET /metrics', () => {
  it('counts what became of the deliveries, for the operator only', async () => {
    started = await startTestReceiver({ adminToken: 'admin-token-0123456789' });
    const { url } = started;
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
    const id = started.stored[1]?.jobId;
    expect(started.lines).toContain(
      `this delivery id was used before with a different body {"endpoint":"default","id":"${id}","deliveryId":"d-1"}`,
    );
  });
});

describe('POST /api/reload', () => {
  it('applies new secrets to the next delivery', async () => {
    const endpointsOf = (secret: string) => ({ byName: new Map([['default', { secrets: [secret] }]]) });
    const reloadable = createReloadableEndpoints(endpointsOf('another-secret-0123456789'));
    started = await startTestReceiver({
      endpoints: reloadable.endpoints,
      reload: async () => {
        reloadable.replace(endpointsOf(SECRET));
        return { ok: true, endpoints: ['default'] };
      },
    });
    expect(await deliver(started.url, eventText())).toBe(401);
    const answer = await fetch(`${started.url}/api/reload`, { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true, endpoints: ['default'] }]);
    expect(await deliver(started.url, eventText())).toBe(200);
  });

  it('answers 503 for an endpoint that was removed on purpose, and 404 when its time is over', async () => {
    const untilMs = Number(NOW_SECONDS) * 1000;
    let nowMs = untilMs - 1;
    const endpoints = {
      byName: new Map([['hr', { secrets: [SECRET] }]]),
      removed: new Map([['default', untilMs]]),
    };
    started = await startTestReceiver({ endpoints, nowMs: () => nowMs });
    const { url } = started;
    const post = () => fetch(`${url}/hooks/default`, { method: 'POST', body: eventText() });
    const answer = await post();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '600']);
    expect(started.lines.at(-1)).toBe(
      'deliveries refused: removed {"endpoint":"default","cause":"the endpoint was removed","refused":"removed","times":1}',
    );
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain(
      'aftermeet_endpoint_served{endpoint="default"} 0\naftermeet_endpoint_served{endpoint="hr"} 1\n',
    );
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready', endpoints: 1 });
    nowMs = untilMs;
    expect((await post()).status).toBe(404);
  });

  it('names the problem of the file, and takes only POST from the operator', async () => {
    const reload = () => Promise.resolve({ ok: false as const, problems: ['endpoints.sales: no secret'] });
    started = await startTestReceiver({ reload });
    const url = `${started.url}/api/reload`;
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

describe('management', () => {
  it('is ready when the queue answers', async () => {
    started = await startTestReceiver();
    expect(await (await fetch(`${started.url}/readyz`)).json()).toEqual({ status: 'ready', endpoints: 1 });
    expect((await fetch(`${started.url}/nowhere`)).status).toBe(404);
  });

  it('wants the token where one is set', async () => {
    started = await startTestReceiver({ adminToken: 'admin-token-0123456789' });
    const { url } = started;
    const statusWith = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${url}/api/refusals`, { headers })).status;
    expect(await statusWith({})).toBe(401);
    expect(await statusWith({ authorization: 'Bearer admin-token-0123456780' })).toBe(401);
    expect(await statusWith({ authorization: 'Bearer admin-token-0123456789' })).toBe(200);
  });

  it('refuses requests under another name for this machine', async () => {
    started = await startTestReceiver();
    const socket = started.open(true);
    socket.end('GET /api/refusals HTTP/1.1\r\nhost: evil.example\r\n\r\n');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('refuses requests through a proxy on this machine', async () => {
    started = await startTestReceiver();
    const names =
      'forwarded via x-real-ip cf-connecting-ip true-client-ip x-client-ip x-cluster-client-ip ' +
      'x-forwarded-for x-forwarded-port X-Forwarded-Ssl';
    for (const name of names.split(' ')) {
      const headers = { [name]: '203.0.113.9' };
      expect((await fetch(`${started.url}/api/refusals`, { headers })).status).toBe(401);
    }
  });

  it('refuses requests from a page of another site', async () => {
    started = await startTestReceiver();
    const statusFrom = async (site: string): Promise<number> => {
      const socket = started?.open(true);
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
  ])('uses the host in a target of absolute form: %s is %i', async (target, status) => {
    started = await startTestReceiver();
    const socket = started.open(true);
    socket.end(`GET ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    expect(Number((await readAll(socket)).split(' ')[1])).toBe(status);
  });

  it('refuses all requests when a token is required and none is set', async () => {
    started = await startTestReceiver({ requireToken: true });
    const headers = { authorization: 'Bearer ' };
    expect((await fetch(`${started.url}/api/refusals`)).status).toBe(401);
    expect((await fetch(`${started.url}/metrics`, { headers })).status).toBe(401);
    expect((await fetch(`${started.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
  });

  it('says that the process is alive, by GET and HEAD', async () => {
    started = await startTestReceiver();
    const socket = started.open(true);
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
    started = await startTestReceiver();
    const hook = `${started.url}/hooks/default`;
    const body = eventText({ data: { title: 'Confidential merger' } });
    await postDelivery(hook, body, { 'x-service-delivery': 'd-logged' });
    await postDelivery(hook, body, { 'x-service-signature': 'sha256=0' });
    expect(started.lines).toHaveLength(2);
    expect(started.lines[0]).toMatch(
      /^delivery accepted \{"endpoint":"default","ms":\d+(\.\d\d?)?,"id":"[0-9a-f]{64}"\}$/,
    );
    expect(started.lines[1]).toContain('malformed_signature');
    expect(started.lines.join('\n')).not.toMatch(/Confidential|whsec|merger/);
  });

  it('logs which secret signed, except for the first', async () => {
    const secrets = ['another-secret-0123456789', SECRET];
    started = await startTestReceiver({ endpoints: { byName: new Map([['default', { secrets }]]) } });
    const hook = `${started.url}/hooks/default`;
    await postDelivery(hook, eventText());
    const signature = sign(eventText(), NOW_SECONDS, 'another-secret-0123456789');
    await postDelivery(hook, eventText(), { 'x-service-signature': signature });
    const indexes = started.lines.map((line) => /"secretIndex":(\d)/.exec(line)?.[1]);
    expect(indexes).toEqual(['1', undefined]);
  });
});
