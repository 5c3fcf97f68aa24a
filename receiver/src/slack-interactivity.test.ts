import { createHmac } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { silentLog } from '@aftermeet/queue';
import express from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { createSlackInteractivity, type SlackInteractivity } from './slack-interactivity.ts';

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const NOW_MS = 1_531_420_618_000;
const TIMESTAMP = '1531420618';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function sign(body: string, timestamp = TIMESTAMP): string {
  return `v0=${createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

function toForm(payload: unknown): string {
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

async function start(answer: SlackInteractivity['answer'], answerWithinMs = 10_000) {
  const app = express();
  app.use(
    '/slack',
    createSlackInteractivity({
      signingSecret: SECRET,
      answer,
      log: silentLog,
      nowMs: () => NOW_MS,
      answerWithinMs,
    }),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;

  /** Node's own client: fetch joins repeated headers. */
  return (
    body: string | Buffer,
    headers: Readonly<Record<string, string | string[]>> = {},
    method = 'POST',
  ): Promise<{ readonly status: number; readonly text: string }> =>
    new Promise((resolve, reject) => {
      const signed = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': TIMESTAMP,
        'x-slack-signature': sign(String(body)),
        ...headers,
      };
      const request = httpRequest(
        { host: '127.0.0.1', port, path: '/slack/interactivity', method, headers: signed },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      request.on('error', reject);
      request.end(body);
    });
}

describe('POST /slack/interactivity', () => {
  it('hands over a signed payload, and answers what comes of it', async () => {
    const seen: unknown[] = [];
    const post = await start(async (payload) => {
      seen.push(payload);
      return seen.length === 1 ? undefined : { response_action: 'errors', errors: { to: 'One address.' } };
    });
    expect(await post(toForm({ type: 'block_actions', text: 'Büro & 週報' }))).toEqual({
      status: 200,
      text: '',
    });
    expect(await post(toForm({ type: 'view_submission' }))).toEqual({
      status: 200,
      text: '{"response_action":"errors","errors":{"to":"One address."}}',
    });
    expect(seen).toEqual([{ type: 'block_actions', text: 'Büro & 週報' }, { type: 'view_submission' }]);
  });

  it('refuses what is not signed so, and hands nothing over', async () => {
    const handle = vi.fn<() => Promise<undefined>>(async () => undefined);
    const post = await start(handle);
    const body = toForm({ type: 'block_actions' });
    const late = String(Number(TIMESTAMP) - 301);
    const answers = [
      await post(body, { 'x-slack-signature': sign(`${body} `) }),
      await post(body, { 'x-slack-signature': '' }),
      await post(body, { 'x-slack-signature': [sign(body), sign(body)] }),
      await post(body, { 'x-slack-request-timestamp': [TIMESTAMP, TIMESTAMP] }),
      await post(body, { 'x-slack-request-timestamp': late, 'x-slack-signature': sign(body, late) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect((await post(gzipSync(body), { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post('x'.repeat(300_000))).status).toBe(413);
    expect((await post('', {}, 'GET')).status).toBe(405);
    expect(handle).not.toHaveBeenCalled();
  });

  it.each(['', 'payload=', 'payload=%7B', 'payload=%7B%7D&payload=%7B%7D', 'ssl_check=1'])(
    'answers 400 to a signed body without a payload: %j',
    async (body) => {
      const post = await start(async () => undefined);
      expect((await post(body)).status).toBe(400);
    },
  );

  it('answers 503 while what it needs is away, and works afterwards', async () => {
    let isAway = true;
    const post = await start(async () => {
      if (isAway) throw new Error('the store is away');
      return undefined;
    });
    expect((await post(toForm({}))).status).toBe(503);
    isAway = false;
    expect((await post(toForm({}))).status).toBe(200);
  });

  it('answers in time, and lets what takes longer go on', async () => {
    let finish = (): void => {};
    let isDone = false;
    const post = await start(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      isDone = true;
      return undefined;
    }, 20);
    expect(await post(toForm({}))).toEqual({ status: 200, text: '' });
    expect(isDone).toBe(false);
    finish();
    await expect.poll(() => isDone, { timeout: 5000 }).toBe(true);
  });
});
