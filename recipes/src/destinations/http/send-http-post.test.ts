import { createHmac } from 'node:crypto';
import { createServer as createTcpServer } from 'node:net';

import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Ledger } from '../../engine/ledger/ledger.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { sendOnce } from '../../engine/send-once.ts';
import { takePrepared } from '../../testing/bring-to-end.ts';
import { dedupeBy, sampleFacts, startMs } from '../../testing/effect-requests.ts';
import {
  listenHere,
  receiverBody,
  receiverKey,
  receiverNowMs,
  shipPost,
  startReceiver,
  stopReceivers,
} from '../../testing/start-receiver.ts';
import { useLedger } from '../../testing/use-ledger.ts';
import { settlePolicies } from '../index.ts';
import { classifyOutcome, HttpAddress, openHttp } from './send-http-post.ts';

afterEach(stopReceivers);

describe('a receiver that takes it', () => {
  it('gets the body, signed for now, under the id of the effect', async () => {
    const { port, received } = await startReceiver((_request, response) => response.writeHead(202).end());
    const other = Buffer.from('the-secret-that-comes-next');
    const facts = {
      keys: [receiverKey, other],
      headers: { Authorization: 'Bearer x', 'User-Agent': 'mine' },
    };
    const prepared = await shipPost(`http://receiver.test:${port}/in?a=1`, { facts });
    expect(await prepared.send()).toEqual({ result: 'sent', reference: 'e1' });
    const [request] = received;
    const sign = (by: Buffer) =>
      createHmac('sha256', by).update(`e1.1800000000.${receiverBody}`).digest('base64');
    expect(request).toMatchObject({ method: 'POST', url: '/in?a=1', body: receiverBody });
    expect(request?.headers).toMatchObject({
      host: `receiver.test:${port}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(receiverBody)),
      'webhook-id': 'e1',
      'webhook-timestamp': '1800000000',
      'webhook-signature': `v1,${sign(receiverKey)} v1,${sign(other)}`,
      authorization: 'Bearer x',
      'user-agent': 'mine',
    });
  });

  it.each(['PUT', 'PATCH'] as const)('gets it by %s, and unsigned without a key', async (method) => {
    const { port, received } = await startReceiver((_request, response) => response.writeHead(200).end());
    const prepared = await shipPost(`http://receiver.test:${port}/in`, { facts: { method, keys: [] } });
    expect(await prepared.send()).toEqual({ result: 'sent', reference: 'e1' });
    expect(received).toMatchObject([
      { method, url: '/in', body: receiverBody, headers: { 'webhook-id': 'e1' } },
    ]);
    expect(received[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('has taken it when its answer is endless', async () => {
    const { port } = await startReceiver((_request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const prepared = await shipPost(`http://receiver.test:${port}/`);
    expect(await prepared.send()).toEqual({ result: 'sent', reference: 'e1' });
  });

  it('has taken it when its answer never ends', async () => {
    const { port } = await startReceiver((_request, response) => response.writeHead(200).write('a'));
    const prepared = await shipPost(`http://receiver.test:${port}/`, { timeoutMs: 300 });
    expect(await prepared.send()).toEqual({ result: 'sent', reference: 'e1' });
  });
});

describe('a receiver that refuses it', () => {
  const unfollowed = 'which is not followed: set the address that it means';
  const clocks = 'compare the secret with that of the receiver, and the clocks of both';
  const gone = 'it wants no more deliveries; take the recipe out, or give it another address';
  const large = 'it is too large; leave out parts, the transcript first';

  it.each([
    [301, 'permanent', `the receiver points elsewhere (301), ${unfollowed}`],
    [400, 'permanent', 'the receiver refuses it (400): its own log may say why'],
    [401, 'permanent', `the receiver refuses it (401): ${clocks}`],
    [410, 'permanent', `the receiver refuses it (410): ${gone}`],
    [413, 'permanent', `the receiver refuses it (413): ${large}`],
    [408, 'not_sent_retry', 'the receiver did not take it (408)'],
    [500, 'not_sent_retry', 'the receiver is in trouble (500)'],
    [503, 'not_sent_retry', 'the receiver is in trouble (503)'],
  ])('with %i', async (status, result, cause) => {
    const { port } = await startReceiver((_request, response) => response.writeHead(status).end());
    expect(await (await shipPost(`http://receiver.test:${port}/`)).send()).toMatchObject({ result, cause });
  });

  it.each([
    [503, '7', 7000],
    [429, '7', 7000],
    [429, 'Fri, 15 Jan 2027 08:00:10 GMT', 10_000],
    [429, undefined, 30_000],
  ])('says with %i and %s how long it wants to be left alone', async (status, after, retryAfterMs) => {
    const headers = after === undefined ? {} : { 'retry-after': after };
    const { port } = await startReceiver((_request, response) => response.writeHead(status, headers).end());
    const cause = `the receiver asks for a pause (${status})`;
    const sent = await (await shipPost(`http://receiver.test:${port}/`)).send();
    expect(sent).toMatchObject({ result: 'rate_limited', cause, retryAfterMs });
  });

  it('is not followed to another place', async () => {
    const elsewhere = await startReceiver((_request, response) => response.end());
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    const { port } = await startReceiver((_request, response) => response.writeHead(307, { location }).end());
    expect(await (await shipPost(`http://receiver.test:${port}/`)).send()).toMatchObject({
      result: 'permanent',
    });
    expect(elsewhere.received).toEqual([]);
  });
});

describe('a receiver that does not answer', () => {
  it('returns not sent when the port is closed', async () => {
    const port = await listenHere(createTcpServer());
    await stopReceivers();
    expect(await (await shipPost(`http://receiver.test:${port}/`)).send()).toEqual({
      result: 'not_sent_retry',
      contact: 'none',
      cause: 'no connection to the receiver (ECONNREFUSED)',
    });
  });

  it('was not sent anything when it speaks no TLS', async () => {
    const port = await listenHere(createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')));
    const result = await (await shipPost(`https://receiver.test:${port}/`)).send();
    expect(result).toMatchObject({ result: 'not_sent_retry' });
  });

  it('may have taken it when it drops the connection', async () => {
    const { port, received } = await startReceiver((request) => request.socket.destroy());
    const prepared = await shipPost(`http://receiver.test:${port}/`);
    const cause = 'the receiver did not answer (ECONNRESET)';
    expect(await prepared.send()).toEqual({ result: 'unknown', cause, contact: 'none' });
    expect(received).toHaveLength(1);
    expect(await prepared.probe(receiverNowMs)).toEqual({ result: 'untraceable' });
  });

  it('may have taken it when it is silent, and is hung up on', async () => {
    let isOver: Promise<unknown> | undefined;
    const { port } = await startReceiver((request) => {
      isOver = new Promise((resolve) => request.socket.once('close', resolve));
    });
    const prepared = await shipPost(`http://receiver.test:${port}/`, { timeoutMs: 300 });
    const cause = 'the receiver did not answer (ETIMEDOUT)';
    expect(await prepared.send()).toEqual({ result: 'unknown', cause, contact: 'none' });
    await isOver;
  });

  it('may have taken it when its answer drips', async () => {
    const port = await listenHere(
      createTcpServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('x'), 20);
        socket.once('close', () => clearInterval(timer));
      }),
    );
    const prepared = await shipPost(`http://receiver.test:${port}/`, { timeoutMs: 300 });
    expect(await prepared.send()).toMatchObject({ result: 'unknown' });
  });

  it('may have taken it when its answer is no HTTP', async () => {
    const port = await listenHere(createTcpServer((socket) => socket.end('220 mail.test ESMTP\r\n')));
    expect(await (await shipPost(`http://receiver.test:${port}/`)).send()).toMatchObject({
      result: 'unknown',
    });
  });
});

it.each([
  ['CERT_HAS_EXPIRED', 'no connection to the receiver (CERT_HAS_EXPIRED): its certificate does not hold'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'no connection to the receiver (ERR_TLS_CERT_ALTNAME_INVALID): its certificate does not hold',
  ],
])('waits until a connection comes about: %s', (code, cause) => {
  expect(classifyOutcome({ kind: 'unsent', code }, 'e1', 0)).toEqual({
    result: 'not_sent_retry',
    cause,
    contact: 'none',
  });
});

it.each([
  { kind: 'unanswered', code: 'ETIMEDOUT' } as const,
  { kind: 'answer', status: 408, retryAfter: undefined, text: '' } as const,
  { kind: 'answer', status: 500, retryAfter: undefined, text: '' } as const,
])('does not pause other receivers after %o', (outcome) => {
  expect(classifyOutcome(outcome, 'e1', 0)).toMatchObject({ contact: 'none' });
});

it.each([408, 425, 429, 500, 502, 503])('waits as long as an answer of %i asks for', (status) => {
  const outcome = { kind: 'answer', status, retryAfter: '7', text: '' } as const;
  expect(classifyOutcome(outcome, 'e1', 0)).toEqual({
    result: 'rate_limited',
    cause: `the receiver asks for a pause (${status})`,
    retryAfterMs: 7000,
  });
  // A pause that it cannot read is none; a 429 asks for one all the same.
  const unread = { ...outcome, retryAfter: 'soon' };
  expect(classifyOutcome(unread, 'e1', 0).result).toBe(status === 429 ? 'rate_limited' : 'not_sent_retry');
});

it.each([
  [200, 'n8n is starting up. Please wait', 'not_sent_retry'],
  [404, '{"code":404,"message":"The requested webhook is not registered"}', 'not_sent_retry'],
  [200, '{"status":"accepted"}', 'sent'],
  [404, '{"status":"unknown"}', 'permanent'],
  [401, '{"error":"unauthorized"}', 'permanent'],
  [503, '', 'not_sent_retry'],
])('takes %i %s of something in front for what it is: %s', (status, text, result) => {
  const outcome = { kind: 'answer', status, retryAfter: undefined, text } as const;
  expect(classifyOutcome(outcome, 'e1', 0, '"status":')).toMatchObject({ result });
});

it('says what it missed', () => {
  const outcome = { kind: 'answer', status: 200, retryAfter: undefined, text: 'starting' } as const;
  expect(classifyOutcome(outcome, 'e1', 0, '"status":')).toEqual({
    result: 'not_sent_retry',
    cause: 'what answers (200) is not the receiver: its answer does not hold what is expected',
    contact: 'none',
  });
});

it('cannot tell of an answer that broke off before it held what is expected', () => {
  const outcome = { kind: 'answer', status: 200, retryAfter: undefined, text: '{"sta', isCut: true } as const;
  expect(classifyOutcome(outcome, 'e1', 0, '"status":')).toEqual({
    result: 'unknown',
    cause: 'an answer (200) broke off before it held what is expected',
    contact: 'none',
  });
  expect(classifyOutcome({ ...outcome, text: '{"status":' }, 'e1', 0, '"status":')).toMatchObject({
    result: 'sent',
  });
});

describeEachStore('posting a report that has changed', (kind) => {
  const store = useLedger(() => openTestStore(kind));
  let nowMs: number;
  let meetings = 0;
  beforeEach(() => {
    nowMs = startMs;
    meetings += 1;
  });

  /** A receiver that has the first report and then answers while it `isUp`. */
  async function openPosted(whenUntraceable: 'resend' | 'hold') {
    const rule = { isUp: true };
    const { port, received } = await startReceiver((request, response) => {
      if (rule.isUp) response.end();
      else request.socket.destroy();
    });
    const url = new URL(`http://127.0.0.1:${port}/`);
    const to = new HttpAddress({ url, keys: [receiverKey], headers: {}, isPrivateAllowed: true });
    const connector = openHttp(() => nowMs, 5000);
    const ids = (): unknown[] =>
      received.map(({ headers }) => String(headers['webhook-id']).split('-').at(-1));
    const post = async (content: string, unconfirmedTimes = 0, ledger: Ledger = store.ledger) => {
      const effectKey = `post-${meetings}-${content}`;
      const prepared = takePrepared(
        await connector.prepare({ body: content, to }, { effectKey, target: 't' }),
      );
      const dedupe = dedupeBy(`posted-${meetings}`, '2026-07-07T11:00:00Z', content);
      const facts = { ...sampleFacts, destination: 'http' };
      const request = { facts, isTraceComplete: true, earliestMs: startMs, dedupe };
      const policy = { ...settlePolicies().of('http'), whenUntraceable };
      const tools = { ledger, clock: () => nowMs, policy, unconfirmedTimes };
      const ending: Outcome = await sendOnce(effectKey, prepared, request, tools);
      return ending;
    };
    expect(await post('first')).toMatchObject({ kind: 'sent', sentNow: true });
    return { rule, ids, post };
  }
  it('goes beside the first one, under an id of its own', async () => {
    const { ids, post } = await openPosted('resend');
    const reference = `post-${meetings}-second`;
    expect(await post('second')).toEqual({ kind: 'sent', reference, sentNow: true });
    expect(ids()).toEqual(['first', 'second']);
  });

  it.each([
    ['resend', ['first', 'second', 'second']],
    ['hold', ['first', 'second']],
  ] as const)('with %s goes as often as %j when no answer came, and no further', async (choice, expected) => {
    const { rule, ids, post } = await openPosted(choice);
    rule.isUp = false;
    expect(await post('second')).toMatchObject({ kind: 'wait', why: 'unclear', isUnconfirmed: true });
    nowMs += 60_000;
    expect(await post('second', 1)).toMatchObject({ kind: 'failed' });
    expect(ids()).toEqual(expected);
  });

  it('is held after a worker that died over it, where that is wanted', async () => {
    const { ids, post } = await openPosted('hold');
    const deadLedger = { ...store.ledger, settle: () => Promise.reject(new Error('killed')) };
    await expect(post('second', 0, deadLedger)).rejects.toThrow('killed');
    nowMs += 60_000;
    expect(await post('second')).toMatchObject({ kind: 'failed' });
    expect(ids()).toEqual(['first', 'second']);
  });
});
