import { request, type RequestOptions } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { createTestConsoleData, LINK } from './testing/console-data.ts';
import { eventText, NOW_MS, signedHeaders } from './testing/event-text.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

const TOKEN = 'admin-token-0123456789';
const bearer = { authorization: `Bearer ${TOKEN}` };

let started: TestReceiver | undefined;
afterEach(() => started?.receiver.close());

/** A receiver with management at an address of its own. */
async function startApart(options: Parameters<typeof startTestReceiver>[0] = {}) {
  const data = createTestConsoleData(() => NOW_MS);
  started = await startTestReceiver({
    isAdminApart: true,
    console: { openData: async () => data, publicUrl: 'https://hooks.example' },
    slack: { signingSecret: 'slack-signing-0123456789', answer: async () => undefined },
    reload: async () => ({ ok: true, endpoints: ['default'] }),
    runCommand: async (_asked, { write }) => {
      write('ran\n');
      return 0;
    },
    ...options,
  });
  const { receiver, url: open } = started;
  const { url: admin } = await receiver.listenAdmin({ host: '127.0.0.1', port: 0 });
  return { open, admin };
}

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  return (await fetch(url, { redirect: 'manual', ...init })).status;
}

/** `fetch` would set `Host` itself. */
function ask(
  url: string,
  path: string,
  { body, ...options }: RequestOptions & { readonly body?: string },
): Promise<{ readonly status: number; readonly cookie: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}${path}`, options, (response) => {
      response.resume();
      const cookie = response.headers['set-cookie']?.join() ?? '';
      response.on('end', () => resolve({ status: response.statusCode ?? 0, cookie }));
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

function logIn(url: string, headers: Readonly<Record<string, string>>) {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return ask(url, '/console/login', {
    method: 'POST',
    headers: { ...form, ...headers },
    body: `token=${TOKEN}`,
  });
}

const managed = [
  'GET /metrics',
  'GET /api/refusals',
  'POST /api/reload',
  'POST /api/commands',
  'GET /console',
  'GET /console/attention',
  'GET /console/style.css',
] as const;

describe('management at an address of its own', () => {
  it.each(managed)(
    '%s is nothing at the open address, in any spelling, also with the token',
    async (line) => {
      const { open } = await startApart({ adminToken: TOKEN });
      const [method = '', path = ''] = line.split(' ');
      for (const spelling of [path, `${path}/`, `/./${path}`, path.toUpperCase()]) {
        expect(await statusOf(open + spelling, { method, headers: bearer }), spelling).toBe(404);
        expect(await statusOf(open + spelling, { method: 'DELETE' }), spelling).toBe(404);
      }
    },
  );

  it.each([
    ['GET /metrics', 200],
    ['GET /api/refusals', 200],
    ['POST /api/reload', 200],
    ['DELETE /api/reload', 405],
    ['GET /console', 200],
    ['GET /console/style.css', 200],
    ['GET /healthz', 200],
    ['GET /readyz', 200],
    ['POST /hooks/default', 404],
    [`GET /approve/${LINK}`, 404],
    ['GET /unsubscribe/x', 404],
    ['POST /slack/interactivity', 404],
  ])('%s is %i at the admin address, with the token', async (line, status) => {
    const { admin } = await startApart({ adminToken: TOKEN });
    const [method = '', path = ''] = line.split(' ');
    expect(await statusOf(admin + path, { method, headers: bearer })).toBe(status);
  });

  it('runs commands there', async () => {
    const { admin } = await startApart({ adminToken: TOKEN });
    const answer = await fetch(`${admin}/api/commands`, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: '{"words":["pause"]}',
    });
    expect(await answer.text()).toBe('{"out":"ran\\n"}\n{"exit":0}\n');
  });

  it('takes deliveries, links in mails and clicks in Slack at the open address', async () => {
    const { open } = await startApart({ adminToken: TOKEN });
    const body = eventText();
    const delivery = { method: 'POST', body, headers: signedHeaders(body) };
    expect(await statusOf(`${open}/hooks/default`, delivery)).toBe(200);
    expect(await statusOf(`${open}/approve/${LINK}`)).toBe(200);
    expect(await statusOf(`${open}/approve/style.css`)).toBe(200);
    expect(await statusOf(`${open}/unsubscribe/style.css`)).toBe(200);
    expect(await statusOf(`${open}/slack/interactivity`, { method: 'POST' })).toBe(401);
    expect(await statusOf(`${open}/healthz`)).toBe(200);
    expect(await statusOf(`${open}/readyz`)).toBe(200);
  });

  it('asks for the token, and without one answers to this machine alone', async () => {
    const closed = await startApart({ adminToken: TOKEN });
    expect(await statusOf(`${closed.admin}/metrics`)).toBe(401);
    await started?.receiver.close();
    const { admin } = await startApart();
    expect(await statusOf(`${admin}/metrics`)).toBe(200);
    expect(await statusOf(`${admin}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } })).toBe(401);
    await started?.receiver.close();
    const required = await startApart({ requireToken: true });
    expect(await statusOf(`${required.admin}/metrics`)).toBe(401);
  });

  it('opens the console by a proxy with HTTPS that passes the name it was asked for, and by a tunnel', async () => {
    const { admin } = await startApart({ adminToken: TOKEN });
    const proxied = { host: 'console.example', origin: 'https://console.example' };
    const there = await logIn(admin, proxied);
    expect([there.status, there.cookie]).toEqual([
      303,
      expect.stringMatching(
        /^__Host-aftermeet_console=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    // A proxy that puts its own name there.
    expect((await logIn(admin, { origin: 'https://console.example' })).status).toBe(403);
    const tunnel = await logIn(admin, { host: 'localhost:9090', origin: 'http://localhost:9090' });
    expect([tunnel.status, tunnel.cookie]).toEqual([
      303,
      expect.stringMatching(/^aftermeet_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    for (const [host, { cookie }] of [
      ['console.example', there],
      ['localhost:9090', tunnel],
    ] as const) {
      const page = await ask(admin, '/console', { headers: { host, cookie: cookie.split(';')[0] ?? '' } });
      expect(page.status).toBe(200);
    }
  });

  it('has no address where it is not apart', async () => {
    started = await startTestReceiver();
    const opening = started.receiver.listenAdmin({ host: '127.0.0.1', port: 0 });
    await expect(opening).rejects.toThrow('listenAdmin needs isAdminApart');
  });

  it('stops with the receiver, and so does one whose admin address was never opened', async () => {
    const { admin } = await startApart();
    await started?.receiver.close();
    await expect(fetch(`${admin}/healthz`)).rejects.toThrow('fetch failed');
    started = await startTestReceiver({ isAdminApart: true });
    await started.receiver.close();
    started = undefined;
  });
});
