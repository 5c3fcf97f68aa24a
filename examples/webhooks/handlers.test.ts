import { signDelivery } from '@aftermeet/webhooks';
import { afterAll, describe, expect, it } from 'vitest';

import { createFastifyApp } from './fastify.ts';
import { createHonoApp } from './hono.ts';

const secret = '0f3c9a7be1d24c58a6b7c8d9e0f1a2b3';
const event = { event: 'meeting.completed', meeting_id: 'm_1', timestamp: '2026-07-07T12:00:00Z' };

function signedHeaders(body: string, signedWith = secret): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const { signature, timestamp } = signDelivery({
    body: Buffer.from(body),
    secret: signedWith,
    timestampSeconds,
  });
  return {
    'content-type': 'application/json',
    'x-service-signature': signature,
    'x-service-timestamp': timestamp,
  };
}

const kept: unknown[] = [];
const store = async (delivery: unknown): Promise<void> => void kept.push(delivery);
const fastify = createFastifyApp({ secrets: [secret], store });
const hono = createHonoApp({ secrets: [secret], store });
const broken = createHonoApp({ secrets: [secret], store: () => Promise.reject(new Error('full')) });
afterAll(() => fastify.close());

describe.each([
  [
    'Fastify',
    async (payload: string, headers: Record<string, string>) =>
      (await fastify.inject({ method: 'POST', url: '/hooks', payload, headers })).statusCode,
  ],
  [
    'Hono, and everything that speaks fetch',
    async (body: string, headers: Record<string, string>) =>
      (await hono.request('/hooks', { method: 'POST', body, headers })).status,
  ],
])('the verifier in %s', (_name, send) => {
  it('keeps what is genuine, whatever the order of its fields and the spaces between them', async () => {
    kept.length = 0;
    const body = JSON.stringify(event, undefined, 3);
    expect(await send(body, signedHeaders(body))).toBe(200);
    expect(kept).toEqual([event]);
  });

  it('keeps nothing that is not', async () => {
    kept.length = 0;
    const body = JSON.stringify(event);
    expect(await send(body, signedHeaders(body, 'another-secret-of-16'))).toBe(401);
    expect(await send(`${body} `, signedHeaders(body))).toBe(401);
    expect(await send('{', signedHeaders('{'))).toBe(400);
    expect(await send(body, { 'content-type': 'application/json' })).toBe(401);
    expect(kept).toEqual([]);
  });
});

it('reads no more than a mebibyte of what may be a stranger’s', async () => {
  const { status } = await hono.request('/hooks', { method: 'POST', body: 'x'.repeat(2 ** 20 + 1) });
  expect(status).toBe(413);
});

it('answers 503 when the event cannot be kept, so that the service sends it again', async () => {
  const body = JSON.stringify(event);
  const { status, headers } = await broken.request('/hooks', {
    method: 'POST',
    body,
    headers: signedHeaders(body),
  });
  expect([status, headers.get('retry-after')]).toEqual([503, '30']);
});
