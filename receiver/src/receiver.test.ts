import { createHmac } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';

import { createInbox, type Inbox, type Log, openBackend, StoreUnavailable } from '@aftermeet/queue';
import { openTestStore, type TestStore } from '@aftermeet/test/support';
import express from 'express';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createDeliveryHandler } from './delivery-handler.ts';
import { createReceiver, type Receiver, type ReceiverOptions } from './receiver.ts';

const SECRET = 'whsec_0123456789abcdef';
const NOW_MS = Date.parse('2026-07-07T12:00:00Z');
const NOW_SECONDS = '1783425600';
const UNAUTHORIZED = '{"status":"refused","reason":"unauthorized"}';

let store: TestStore;
let inbox: Inbox;
let closeStore: () => Promise<void>;
let lines: string[];
let receiver: Receiver | undefined;

beforeAll(async () => {
  store = await openTestStore('postgres');
  const backend = await openBackend(store.queueUrl, { log: createRecordingLog([]) });
  inbox = await createInbox(backend, { log: createRecordingLog([]) });
  closeStore = async () => {
    await inbox.close();
    await backend.close();
    await store.dispose();
  };
});

afterAll(() => closeStore());

beforeEach(() => {
  lines = [];
});

afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

function createRecordingLog(into: string[]): Log {
  const record = (fields: object, text: string): void => {
    into.push(`${text} ${JSON.stringify(fields)}`);
  };
  return { debug: record, info: record, warn: record, error: record };
}

async function start(options: Partial<ReceiverOptions> = {}): Promise<string> {
  receiver = createReceiver({
    endpoints: { byName: new Map([['default', { secrets: [SECRET] }]]) },
    inbox,
    log: createRecordingLog(lines),
    nowMs: () => NOW_MS,
    idleGraceMs: 0,
    ...options,
  });
  return (await receiver.listen({ host: '127.0.0.1', port: 0 })).url;
}

let meetings = 0;

function eventBody(fields: Record<string, unknown> = {}): Buffer {
  meetings += 1;
  return Buffer.from(
    JSON.stringify({
      event: 'meeting.completed',
      meeting_id: `m_${meetings}`,
      timestamp: '2026-07-07T12:00:00Z',
      data: { title: 'Confidential merger' },
      ...fields,
    }),
  );
}

function sign(body: Uint8Array, timestamp = NOW_SECONDS, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}

function headersFor(body: Uint8Array, extra: Record<string, string> = {}): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-service-event': 'meeting.completed',
    'x-service-signature': sign(body),
    'x-service-timestamp': NOW_SECONDS,
    'x-service-delivery': 'd-1',
    ...extra,
  };
}

async function post(
  url: string,
  body: Buffer,
  headers: Record<string, string> = headersFor(body),
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(url, { method: 'POST', body: new Uint8Array(body), headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Sends bytes as they are, and returns all that came back until the receiver closed or fell silent. */
function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += String(chunk);
      if (/\r\n\r\n.*\}$/s.test(answer)) socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** One genuine delivery on a connection of the agent: its status, or the code of what went wrong. */
function postOn(agent: Agent, url: string): Promise<string> {
  const body = eventBody();
  return new Promise((resolve) => {
    const outgoing = httpRequest(
      `${url}/hooks/default`,
      { agent, method: 'POST', headers: { ...headersFor(body), 'content-length': body.length } },
      (response) => {
        response.resume();
        response.on('end', () => resolve(String(response.statusCode)));
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    outgoing.end(body);
  });
}

describe('a genuine delivery', () => {
  it('is stored and answered 200, and known again whatever its delivery id says', async () => {
    const url = await start();
    const body = eventBody();
    const first = await post(`${url}/hooks/default`, body);
    expect(first.status).toBe(200);
    const { id } = JSON.parse(first.text) as { id: string };
    expect(first.text).toBe(`{"status":"accepted","id":"${id}"}`);
    const replay = await post(
      `${url}/hooks/default`,
      body,
      headersFor(body, { 'x-service-delivery': 'd-other' }),
    );
    expect(replay).toMatchObject({ status: 200, text: `{"status":"duplicate","id":"${id}"}` });
  });

  it('is known again when it was signed anew with the same delivery id', async () => {
    const url = await start();
    const body = eventBody();
    await post(`${url}/hooks/default`, body);
    const later = String(Number(NOW_SECONDS) + 100);
    const retry = headersFor(body, {
      'x-service-timestamp': later,
      'x-service-signature': sign(body, later),
    });
    expect((await post(`${url}/hooks/default`, body, retry)).text).toContain('duplicate');
  });

  it('is not suppressed by another body under its delivery id', async () => {
    const url = await start();
    await post(`${url}/hooks/default`, eventBody());
    expect((await post(`${url}/hooks/default`, eventBody())).text).toContain('accepted');
  });

  it('of an unknown kind is stored', async () => {
    const url = await start();
    const body = eventBody({ event: 'meeting.renamed' });
    const headers = headersFor(body, { 'x-service-event': 'meeting.renamed' });
    expect((await post(`${url}/hooks/default`, body, headers)).text).toContain('accepted');
  });

  it('may be signed with either of two secrets during a rotation', async () => {
    const url = await start({
      endpoints: { byName: new Map([['default', { secrets: ['another-secret-0123456789', SECRET] }]]) },
    });
    expect((await post(`${url}/hooks/default`, eventBody())).status).toBe(200);
  });

  it('may come to an address with a secret of its own', async () => {
    const url = await start({
      endpoints: { byName: new Map([['sales', { secrets: [] }]]), masterSecret: 'master-secret-0123456789' },
    });
    const body = eventBody();
    // The secret of that address, as whoever starts the recording gets it.
    const derived = '2c3271a7df83c98f44d8e26afa2c08625f2eed62a86413d4eb172d9c76e63a81';
    const signature = sign(body, NOW_SECONDS, derived);
    const headers = headersFor(body, { 'x-service-signature': signature });
    expect((await post(`${url}/hooks/sales/k1`, body, headers)).status).toBe(200);
    expect((await post(`${url}/hooks/sales/k2`, body, headers)).status).toBe(401);
    expect((await post(`${url}/hooks/sales`, body, headers)).status).toBe(404);
  });

  it('may name the whole address in its request line, or end it with a slash', async () => {
    const url = await start();
    for (const target of [`${url}/hooks/default`, '/hooks/default/']) {
      const body = eventBody();
      const head = [`POST ${target} HTTP/1.1`, 'host: x', `content-length: ${body.length}`];
      const headLines = Object.entries(headersFor(body)).map(([name, value]) => `${name}: ${value}`);
      const answer = await exchange(url, `${[...head, ...headLines].join('\r\n')}\r\n\r\n${body.toString()}`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  it('passes without a content type, with parameters, and whatever the query says', async () => {
    const url = await start();
    const body = eventBody();
    const { 'content-type': _type, ...rest } = headersFor(body);
    expect((await post(`${url}/hooks/default?signature=skip`, body, rest)).status).toBe(200);
    const other = eventBody();
    const headers = headersFor(other, { 'content-type': 'Application/JSON; charset=utf-8' });
    expect((await post(`${url}/hooks/default`, other, headers)).status).toBe(200);
  });
});

describe('a delivery that is not ours', () => {
  it.each<[string, (body: Uint8Array) => Record<string, string>]>([
    ['no signature', () => ({ 'x-service-signature': '' })],
    [
      'another secret',
      (body) => ({ 'x-service-signature': sign(body, NOW_SECONDS, 'other-secret-0123456789') }),
    ],
    ['upper-case digits', (body) => ({ 'x-service-signature': sign(body).toUpperCase() })],
    ['a truncated signature', (body) => ({ 'x-service-signature': sign(body).slice(0, 39) })],
    ['no timestamp', () => ({ 'x-service-timestamp': '' })],
    [
      'a leading zero',
      (body) => ({
        'x-service-timestamp': `0${NOW_SECONDS}`,
        'x-service-signature': sign(body, `0${NOW_SECONDS}`),
      }),
    ],
    [
      'a plus sign',
      (body) => ({
        'x-service-timestamp': `+${NOW_SECONDS}`,
        'x-service-signature': sign(body, `+${NOW_SECONDS}`),
      }),
    ],
    [
      'a stale timestamp',
      (body) => ({ 'x-service-timestamp': '1783425299', 'x-service-signature': sign(body, '1783425299') }),
    ],
    [
      'a future timestamp',
      (body) => ({ 'x-service-timestamp': '1783425901', 'x-service-signature': sign(body, '1783425901') }),
    ],
  ])('is 401 with the same body for %s', async (_name, change) => {
    const url = await start();
    const body = eventBody();
    expect(await post(`${url}/hooks/default`, body, headersFor(body, change(body)))).toMatchObject({
      status: 401,
      text: UNAUTHORIZED,
    });
  });

  it('is 401 when a header comes twice', async () => {
    const url = await start();
    const body = eventBody();
    const head = [
      'POST /hooks/default HTTP/1.1',
      'host: x',
      'content-type: application/json',
      `x-service-timestamp: ${NOW_SECONDS}`,
      `x-service-signature: ${sign(body)}`,
      `x-service-signature: ${sign(body)}`,
      `content-length: ${body.length}`,
    ];
    const answer = await exchange(url, `${head.join('\r\n')}\r\n\r\n${body.toString()}`);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is 401 when U+FFFD stands where a broken byte was signed', async () => {
    const url = await start();
    const signed = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    const sent = Buffer.from('{"\uFFFD"}');
    const headers = headersFor(sent, { 'x-service-signature': sign(signed) });
    expect((await post(`${url}/hooks/default`, sent, headers)).status).toBe(401);
  });
});

describe('a signed body that is no delivery', () => {
  it.each([
    ['null', Buffer.from('null')],
    ['not JSON', Buffer.from('{"event":')],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), eventBody()])],
    ['nothing', Buffer.alloc(0)],
    ['another shape', Buffer.from('{"hello":1}')],
    ['100,000 levels', Buffer.from('['.repeat(100_000))],
  ])('is 400 for %s, and kept as metadata', async (_name, body) => {
    const url = await start();
    expect((await post(`${url}/hooks/default`, body)).status).toBe(400);
    const kept = await (await fetch(`${url}/api/refusals`)).text();
    const sha256 = (await import('node:crypto')).createHash('sha256').update(body).digest('hex');
    expect(kept).toContain(sha256);
  });

  it('is 400 when the event header says something else', async () => {
    const url = await start();
    const body = eventBody();
    const headers = headersFor(body, { 'x-service-event': 'meeting.failed' });
    expect((await post(`${url}/hooks/default`, body, headers)).status).toBe(400);
    expect(lines.join()).toContain('event_mismatch');
  });
});

describe('what is refused before it is read', () => {
  it('is 404 for an unknown endpoint', async () => {
    const url = await start();
    expect((await post(`${url}/hooks/other`, eventBody())).status).toBe(404);
    expect((await post(`${url}/hooks/default/key`, eventBody())).status).toBe(404);
  });

  it('is 405 for another method', async () => {
    const url = await start();
    const response = await fetch(`${url}/hooks/default`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('is 415 for another encoding or content type', async () => {
    const url = await start();
    const body = eventBody();
    expect(
      (await post(`${url}/hooks/default`, body, headersFor(body, { 'content-encoding': 'gzip' }))).status,
    ).toBe(415);
    const form = headersFor(body, { 'content-type': 'application/x-www-form-urlencoded' });
    expect((await post(`${url}/hooks/default`, body, form)).status).toBe(415);
  });

  it('is 413 for a body over the cap, declared or not', async () => {
    const url = await start({ maxBodyBytes: 1000 });
    const body = Buffer.alloc(1001, 'x');
    expect((await post(`${url}/hooks/default`, body)).status).toBe(413);
    const status = await new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        `${url}/hooks/default`,
        { method: 'POST', headers: headersFor(body) },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      outgoing.on('error', reject);
      outgoing.write(body.subarray(0, 600));
      outgoing.end(body.subarray(600));
    });
    expect(status).toBe(413);
  });

  it('takes a body of exactly the cap', async () => {
    const body = eventBody();
    const url = await start({ maxBodyBytes: body.length });
    expect((await post(`${url}/hooks/default`, body)).status).toBe(200);
  });

  it('is 431 for headers over the cap, and loses none below it', async () => {
    const url = await start();
    const body = eventBody();
    const head = ['POST /hooks/default HTTP/1.1', 'host: x'];
    const tail = [
      ...Object.entries(headersFor(body)).map(([name, value]) => `${name}: ${value}`),
      `content-length: ${body.length}`,
    ];
    const many = Array.from({ length: 1200 }, (_, index) => `a${index}: 1`);
    const flooded = await exchange(
      url,
      `${[...head, ...many, ...tail].join('\r\n')}\r\n\r\n${body.toString()}`,
    );
    expect(flooded).toMatch(/^HTTP\/1\.1 200 /);
    const huge = await exchange(url, `${[...head, `big: ${'x'.repeat(20_000)}`].join('\r\n')}\r\n\r\n`);
    expect(huge).toMatch(/^HTTP\/1\.1 431 /);
    expect(lines.join()).toContain('431 Request Header Fields Too Large');
  });

  it('is 429 for a peer that was refused too often, but not for genuine deliveries', async () => {
    const url = await start({ peerLimit: { burst: 2, perSecond: 0.01 } });
    for (let count = 0; count < 5; count += 1) {
      expect((await post(`${url}/hooks/default`, eventBody())).status).toBe(200);
    }
    const forged = eventBody();
    const headers = headersFor(forged, {
      'x-service-signature': sign(forged, NOW_SECONDS, 'other-secret-0123456789'),
    });
    expect((await post(`${url}/hooks/default`, forged, headers)).status).toBe(401);
    expect((await post(`${url}/hooks/default`, forged, headers)).status).toBe(401);
    const limited = await post(`${url}/hooks/default`, forged, headers);
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe('100');
    // A genuine delivery of the same peer never pays for it.
    expect((await post(`${url}/hooks/default`, eventBody())).status).toBe(200);
  });
});

describe('when nothing can be stored', () => {
  const unavailable: Inbox = {
    accept: () => Promise.reject(new StoreUnavailable('accepting a delivery', new Error('gone'))),
    recordRefusal: () => Promise.reject(new StoreUnavailable('recording a refusal', new Error('gone'))),
    listRefusals: () => Promise.reject(new StoreUnavailable('listing refusals', new Error('gone'))),
    ping: () => Promise.reject(new StoreUnavailable('ping', new Error('gone'))),
    close: () => Promise.resolve(),
  };

  it('answers 503 with Retry-After, also for what would be 400', async () => {
    const url = await start({ inbox: unavailable });
    const answer = await post(`${url}/hooks/default`, eventBody());
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('10');
    expect((await post(`${url}/hooks/default`, Buffer.from('null'))).status).toBe(503);
  });

  it('says so to the balancer while the process itself is well', async () => {
    const url = await start({ inbox: unavailable });
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/api/refusals`)).status).toBe(503);
  });
});

describe('the operator’s side', () => {
  it('is ready when the queue answers', async () => {
    const url = await start();
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
  });

  it('wants the token where one is set', async () => {
    const url = await start({ adminToken: 'admin-token-0123456789' });
    expect((await fetch(`${url}/api/refusals`)).status).toBe(401);
    const wrong = { authorization: 'Bearer admin-token-0123456780' };
    expect((await fetch(`${url}/api/refusals`, { headers: wrong })).status).toBe(401);
    const right = { authorization: 'Bearer admin-token-0123456789' };
    expect((await fetch(`${url}/api/refusals`, { headers: right })).status).toBe(200);
  });

  it('answers nobody who asks under another name for this machine', async () => {
    const url = await start();
    const answer = await exchange(url, 'GET /api/refusals HTTP/1.1\r\nhost: evil.example\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('answers nobody through a proxy on this machine', async () => {
    const url = await start();
    for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip']) {
      expect((await fetch(`${url}/api/refusals`, { headers: { [name]: '203.0.113.9' } })).status).toBe(401);
    }
  });

  it('logs one line for each delivery, without content', async () => {
    const url = await start();
    const body = eventBody();
    await post(`${url}/hooks/default`, body);
    await post(`${url}/hooks/default`, body, headersFor(body, { 'x-service-signature': 'sha256=0' }));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('malformed_signature');
    expect(lines.join('\n')).not.toMatch(/Confidential|whsec|merger/);
  });
});

describe('in somebody else’s Express app', () => {
  async function mount(
    arrange: (app: express.Express, handler: ReturnType<typeof createDeliveryHandler>) => void,
  ) {
    const app = express();
    const handler = createDeliveryHandler({
      endpoints: { byName: new Map([['default', { secrets: [SECRET] }]]) },
      inbox,
      log: createRecordingLog(lines),
      nowMs: () => NOW_MS,
    });
    arrange(app, handler);
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return {
      url: `http://127.0.0.1:${address.port}`,
      close: () => new Promise((resolve) => server.close(resolve)),
    };
  }

  it('works before express.json()', async () => {
    const { url, close } = await mount((app, handler) => app.use('/hooks', handler).use(express.json()));
    expect((await post(`${url}/hooks/default`, eventBody())).status).toBe(200);
    await close();
  });

  it('behind express.json() asks the sender to repeat, and names the cause in the log', async () => {
    const { url, close } = await mount((app, handler) => app.use(express.json()).use('/hooks', handler));
    expect((await post(`${url}/hooks/default`, eventBody())).status).toBe(503);
    expect(lines.join()).toContain('mount it before express.json()');
    await close();
  });
});

describe('closing', () => {
  it('resets no connection that is in use', async () => {
    const url = await start({
      inbox: { ...inbox, accept: () => Promise.resolve('accepted') },
      idleGraceMs: 500,
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const faults: string[] = [];
    let answers = 0;
    let isBusy = (): void => {};
    const busy = new Promise<void>((resolve) => {
      isBusy = resolve;
    });
    const sender = async (): Promise<void> => {
      for (;;) {
        const outcome = await postOn(agent, url);
        answers += 1;
        if (answers === 500) isBusy();
        // Nobody listens any more: that is how a sender learns of the end.
        if (outcome === 'ECONNREFUSED') return;
        if (outcome !== '200') faults.push(outcome);
      }
    };
    const senders = Array.from({ length: 20 }, sender);
    await busy;
    await receiver?.close();
    await Promise.all(senders);
    agent.destroy();
    expect(faults).toEqual([]);
  });

  it('answers what it holds, then takes nothing more', async () => {
    let release = (): void => {};
    const held = new Promise<'accepted'>((resolve) => {
      release = () => resolve('accepted');
    });
    let asked = (): void => {};
    const accepting = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const slow: Inbox = {
      ...inbox,
      accept: () => {
        asked();
        return held;
      },
    };
    const url = await start({ inbox: slow });
    const answer = post(`${url}/hooks/default`, eventBody());
    await accepting;
    const closed = receiver?.close();
    release();
    expect((await answer).status).toBe(200);
    await closed;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});
