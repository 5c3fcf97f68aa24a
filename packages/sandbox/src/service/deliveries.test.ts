import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { readWebhookEvent } from '@aftermeet/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createSandbox, type Sandbox, type SandboxOptions } from './create-sandbox.ts';
import type { SandboxStep } from './sandbox-step.ts';

const secret = 'a-secret-of-enough-length';
const startMs = Date.parse('2026-07-07T12:00:00Z');

interface Arrival {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What the receiver does with each arrival in turn; the last entry repeats. */
let plan: readonly (number | 'cut' | 'hang' | 'redirect')[];
let arrivals: Arrival[];
let receiver: Server;
let receiverUrl: string;
let sandbox: Sandbox | undefined;
let url: string;
let steps: SandboxStep[];
let nowMs: number;
let onStep: (() => void) | undefined;

beforeEach(async () => {
  plan = [200];
  arrivals = [];
  steps = [];
  nowMs = startMs;
  receiver = createServer((delivery, response) => {
    const chunks: Buffer[] = [];
    delivery.on('data', (chunk: Buffer) => chunks.push(chunk));
    delivery.on('end', () => {
      arrivals.push({ headers: delivery.headers, body: Buffer.concat(chunks) });
      const step = plan[Math.min(arrivals.length, plan.length) - 1];
      if (step === 'cut') delivery.socket.destroy();
      else if (step === 'redirect') response.writeHead(307, { Location: '/elsewhere' }).end();
      else if (step !== 'hang') response.writeHead(step ?? 200).end('thanks');
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  receiverUrl = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/hooks/default/capability-key`;
});

afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
  receiver.closeAllConnections();
  receiver.close();
});

async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  sandbox = createSandbox({
    clock: () => nowMs,
    retryDelaysMs: [1, 1],
    ...options,
    observe: (step) => {
      steps.push(step);
      if (step.kind === 'delivery_attempted') nowMs += 1000;
      onStep?.();
    },
  });
  ({ url } = await sandbox.listen());
  return sandbox;
}

async function recordMeeting(fields: object = {}): Promise<string> {
  const response = await fetch(`${url}/api/record-meeting`, {
    method: 'POST',
    headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      link: 'https://zoom.us/j/1',
      title: 'Планы',
      webhook_url: receiverUrl,
      webhook_secret: secret,
      ...fields,
    }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { meeting_id: string }).meeting_id;
}

async function post(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function countAttempts(): number {
  return steps.filter(({ kind }) => kind === 'delivery_attempted').length;
}

async function waitForAttempts(count: number): Promise<void> {
  while (countAttempts() < count) {
    await new Promise<void>((resolve) => {
      onStep = resolve;
    });
  }
}

/** The specification's rule, written out without our own package. */
function expectedSignature(arrival: Arrival): string {
  const timestamp = String(arrival.headers['x-service-timestamp']);
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(arrival.body).digest('hex')}`;
}

describe('a delivery', () => {
  it('carries the signed event of a completed meeting', async () => {
    await startSandbox();
    const meetingId = await recordMeeting();
    const { status, body } = await post(`/_sandbox/meetings/${meetingId}/complete`);
    expect([status, body['status']]).toEqual([200, 'new']);
    await waitForAttempts(1);
    const [arrival] = arrivals;
    expect(arrival?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'meeting.completed',
      'x-service-timestamp': '1783425600',
      'x-service-delivery': body['delivery_id'],
    });
    expect(arrival?.headers['x-service-signature']).toBe(arrival && expectedSignature(arrival));
    expect(JSON.parse(arrival?.body.toString() ?? '')).toEqual({
      event: 'meeting.completed',
      meeting_id: meetingId,
      timestamp: '2026-07-07T12:00:00Z',
      data: {
        title: 'Планы',
        is_transcript_empty: false,
        report_url: `${url}/api/video/report?meeting_id=${meetingId}`,
      },
    });
    expect(readWebhookEvent(arrival?.body ?? Buffer.of()).ok).toBe(true);
  });

  it('tells that the transcript is empty', async () => {
    await startSandbox();
    const meetingId = await recordMeeting();
    await post(`/_sandbox/meetings/${meetingId}/complete`, { is_transcript_empty: true });
    await waitForAttempts(1);
    expect(JSON.parse(arrivals[0]?.body.toString() ?? '')).toMatchObject({
      data: { is_transcript_empty: true },
    });
  });

  it('carries the reason of a failure, and a later completion of the same meeting', async () => {
    await startSandbox();
    const meetingId = await recordMeeting();
    await post(`/_sandbox/meetings/${meetingId}/fail`, { reason: 'The host ended the meeting.' });
    await waitForAttempts(1);
    await post(`/_sandbox/meetings/${meetingId}/complete`);
    await waitForAttempts(2);
    expect(arrivals.map(({ headers }) => headers['x-service-event'])).toEqual([
      'meeting.failed',
      'meeting.completed',
    ]);
    expect(JSON.parse(arrivals[0]?.body.toString() ?? '')).toEqual({
      event: 'meeting.failed',
      meeting_id: meetingId,
      timestamp: '2026-07-07T12:00:00Z',
      data: { title: 'Планы', is_transcript_empty: true, reason: 'The host ended the meeting.' },
    });
    expect(arrivals[0]?.headers['x-service-delivery']).not.toBe(arrivals[1]?.headers['x-service-delivery']);
  });

  it('has no signature without a secret, and none is sent without an address', async () => {
    await startSandbox();
    const unsigned = await recordMeeting({ webhook_secret: undefined });
    await post(`/_sandbox/meetings/${unsigned}/complete`);
    await waitForAttempts(1);
    expect(arrivals[0]?.headers['x-service-signature']).toBeUndefined();
    expect(arrivals[0]?.headers['x-service-timestamp']).toBe('1783425600');
    const silent = await recordMeeting({ webhook_url: undefined, link: 'https://zoom.us/j/2' });
    const { body } = await post(`/_sandbox/meetings/${silent}/complete`);
    expect(body).toEqual({ meeting_id: silent, status: 'new' });
  });

  it('uses the configured header prefix', async () => {
    await startSandbox({ headerPrefix: 'X-Acme' });
    await post(`/_sandbox/meetings/${await recordMeeting()}/complete`);
    await waitForAttempts(1);
    expect(arrivals[0]?.headers['x-acme-event']).toBe('meeting.completed');
    expect(() => createSandbox({ headerPrefix: 'X Acme:' })).toThrow(RangeError);
  });
});

describe('retries', () => {
  it.each([[500], [503], [408], [429], ['cut' as const]])(
    'tries again after %s, signed anew',
    async (first) => {
      plan = [first, 200];
      const here = await startSandbox();
      await post(`/_sandbox/meetings/${await recordMeeting()}/complete`);
      await waitForAttempts(2);
      expect(arrivals.map(({ headers }) => headers['x-service-timestamp'])).toEqual([
        '1783425600',
        '1783425601',
      ]);
      expect(arrivals.map(({ headers }) => headers['x-service-signature'])).toEqual(
        arrivals.map(expectedSignature),
      );
      expect(arrivals[0]?.body).toEqual(arrivals[1]?.body);
      expect(here.deliveries()).toMatchObject([{ state: 'delivered', attempts: [{}, { status: 200 }] }]);
    },
  );

  it('repeats the first timestamp and signature when told so', async () => {
    plan = [500, 200];
    await startSandbox({ resign: false });
    await post(`/_sandbox/meetings/${await recordMeeting()}/complete`);
    await waitForAttempts(2);
    expect(arrivals.map(({ headers }) => headers['x-service-timestamp'])).toEqual([
      '1783425600',
      '1783425600',
    ]);
    expect(arrivals[0]?.headers['x-service-signature']).toBe(arrivals[1]?.headers['x-service-signature']);
  });

  it.each([[400], [401], [404], [413], ['redirect' as const]])(
    'gives up at once after %s',
    async (answer) => {
      plan = [answer];
      const here = await startSandbox();
      await post(`/_sandbox/meetings/${await recordMeeting()}/complete`);
      await waitForAttempts(1);
      expect(here.deliveries()).toMatchObject([
        { state: 'given_up', attempts: [{ status: answer === 'redirect' ? 307 : answer }] },
      ]);
      expect(here.deliveries()[0]?.nextAttemptAt).toBeUndefined();
    },
  );

  it('gives up when the schedule is used up', async () => {
    plan = [500];
    const here = await startSandbox();
    await post(`/_sandbox/meetings/${await recordMeeting()}/complete`);
    await waitForAttempts(3);
    expect(here.deliveries()).toMatchObject([
      { state: 'given_up', attempts: [{ status: 500 }, { status: 500 }, { status: 500 }] },
    ]);
  });

  it('waits for the observed time by default and says until when', async () => {
    plan = [500];
    const here = await startSandbox({ retryDelaysMs: [60_000] });
    await post(`/_sandbox/meetings/${await recordMeeting()}/complete`);
    await waitForAttempts(1);
    expect(here.deliveries()).toMatchObject([
      { state: 'waiting', nextAttemptAt: '2026-07-07T12:01:00.000Z' },
    ]);
  });

  it('calls a receiver that does not answer in time a timeout', async () => {
    plan = ['hang', 200];
    const here = await startSandbox({ deliveryTimeoutMs: 50 });
    await post(`/_sandbox/meetings/${await recordMeeting()}/complete`);
    await waitForAttempts(2);
    expect(here.deliveries()).toMatchObject([
      { state: 'delivered', attempts: [{ error: 'timeout' }, { status: 200 }] },
    ]);
  });

  it('names the failure of a connection', async () => {
    receiver.close();
    await once(receiver, 'close');
    const here = await startSandbox({ retryDelaysMs: [] });
    await post(`/_sandbox/meetings/${await recordMeeting()}/complete`);
    await waitForAttempts(1);
    expect(here.deliveries()).toMatchObject([{ state: 'given_up', attempts: [{ error: 'ECONNREFUSED' }] }]);
  });

  it('delivers again on demand, under the same id', async () => {
    plan = [400, 200];
    const here = await startSandbox();
    const { body } = await post(`/_sandbox/meetings/${await recordMeeting()}/complete`);
    await waitForAttempts(1);
    const id = String(body['delivery_id']);
    expect((await post(`/_sandbox/deliveries/${id}/redeliver`)).status).toBe(200);
    await waitForAttempts(2);
    expect(arrivals.map(({ headers }) => headers['x-service-delivery'])).toEqual([id, id]);
    expect(here.deliveries()).toMatchObject([
      { state: 'delivered', attempts: [{ status: 400 }, { status: 200 }] },
    ]);
    expect((await post('/_sandbox/deliveries/unknown/redeliver')).status).toBe(404);
  });

  it('sends nothing to another machine unless allowed', async () => {
    const sent: string[] = [];
    const pretendFetch: typeof fetch = (input) => {
      sent.push(input instanceof Request ? input.url : input.toString());
      return Promise.resolve(new Response());
    };
    const here = await startSandbox({ fetch: pretendFetch });
    await post(
      `/_sandbox/meetings/${await recordMeeting({ webhook_url: 'https://hooks.example.com/a' })}/complete`,
    );
    await waitForAttempts(1);
    expect(sent).toEqual([]);
    expect(here.deliveries()).toMatchObject([
      {
        state: 'given_up',
        attempts: [{ error: expect.stringContaining('not a loopback address') as string }],
      },
    ]);
    await here.close();
    await startSandbox({ fetch: pretendFetch, allowRemoteReceivers: true });
    await post(
      `/_sandbox/meetings/${await recordMeeting({ webhook_url: 'https://hooks.example.com/a' })}/complete`,
    );
    await waitForAttempts(2);
    expect(sent).toEqual(['https://hooks.example.com/a']);
  });
});

describe('the log and the control routes', () => {
  it('shows every attempt but neither the secret nor the path of the receiver', async () => {
    await startSandbox();
    await post(`/_sandbox/meetings/${await recordMeeting()}/complete`);
    await waitForAttempts(1);
    const log = await (await fetch(`${url}/_sandbox/deliveries`)).text();
    const page = await (await fetch(`${url}/_sandbox`)).text();
    expect(JSON.parse(log)).toMatchObject({
      deliveries: [
        {
          event: 'meeting.completed',
          isSigned: true,
          receiver: new URL(receiverUrl).origin,
          attempts: [{ status: 200 }],
        },
      ],
    });
    for (const shown of [log, page, JSON.stringify(steps)]) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain('capability-key');
    }
    expect(page).toContain('answered 200');
  });

  it('refuses what it does not know', async () => {
    await startSandbox();
    const meetingId = await recordMeeting();
    expect((await post('/_sandbox/meetings/unknown/complete')).status).toBe(404);
    expect((await post(`/_sandbox/meetings/${meetingId}/complete`, { empty: true })).status).toBe(400);
    expect((await post(`/_sandbox/meetings/${meetingId}/fail`, { reason: 7 })).status).toBe(400);
    expect((await post('/_sandbox/unknown')).status).toBe(404);
  });

  it('forgets everything on reset, and plans nothing more', async () => {
    plan = [500];
    const here = await startSandbox({ retryDelaysMs: [60_000] });
    const meetingId = await recordMeeting();
    await post(`/_sandbox/meetings/${meetingId}/complete`);
    await waitForAttempts(1);
    expect((await post('/_sandbox/reset')).status).toBe(200);
    expect(here.deliveries()).toEqual([]);
    expect((await post(`/_sandbox/meetings/${meetingId}/complete`)).status).toBe(404);
  });

  it("answers only to this machine's own names, and to no other site's page", async () => {
    await startSandbox({ allowedHosts: ['sandbox'] });
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

  it('lets the page steer it by forms', async () => {
    await startSandbox();
    const response = await fetch(`${url}/_sandbox/meetings/${await recordMeeting()}/complete`, {
      method: 'POST',
      body: new URLSearchParams({ is_transcript_empty: 'true' }),
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/_sandbox']);
    await waitForAttempts(1);
  });
});

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
