import { createHmac } from 'node:crypto';

import { afterEach, describe, expect, it } from 'vitest';

import {
  receiverBody,
  receiverKey,
  shipPost,
  startReceiver,
  stopReceivers,
} from '../testing/start-receiver.ts';

afterEach(stopReceivers);

describe('a receiver that takes it', () => {
  it('gets the body, signed for now, under the id of the effect', async () => {
    const { port, received } = await startReceiver((_request, response) => response.writeHead(202).end());
    const other = Buffer.from('the-secret-that-comes-next');
    const facts = {
      keys: [receiverKey, other],
      headers: { Authorization: 'Bearer x', 'User-Agent': 'mine' },
    };
    const shipment = await shipPost(`http://receiver.test:${port}/in?a=1`, { facts });
    expect(await shipment.send()).toEqual({ result: 'sent', reference: 'e1' });
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

  it('has taken it when its answer is endless', async () => {
    const { port } = await startReceiver((_request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const shipment = await shipPost(`http://receiver.test:${port}/`);
    expect(await shipment.send()).toEqual({ result: 'sent', reference: 'e1' });
  });

  it('has taken it when its answer never ends', async () => {
    const { port } = await startReceiver((_request, response) => response.writeHead(200).write('a'));
    const shipment = await shipPost(`http://receiver.test:${port}/`, { timeoutMs: 300 });
    expect(await shipment.send()).toEqual({ result: 'sent', reference: 'e1' });
  });
});

describe('a receiver that refuses it', () => {
  it.each([
    [
      301,
      {},
      'permanent',
      'the receiver points elsewhere (301), which is not followed: set the address that it means',
    ],
    [400, {}, 'permanent', 'the receiver refuses it (400): its own log may say why'],
    [
      401,
      {},
      'permanent',
      'the receiver refuses it (401): compare the secret with that of the receiver, and the clocks of both',
    ],
    [
      410,
      {},
      'permanent',
      'the receiver refuses it (410): it wants no more deliveries; take the recipe out, or give it another address',
    ],
    [
      413,
      {},
      'permanent',
      'the receiver refuses it (413): it is too large; leave out parts, the transcript first',
    ],
    [408, {}, 'not_sent_retry', 'the receiver did not take it (408)'],
    [500, {}, 'not_sent_retry', 'the receiver is in trouble (500)'],
    [503, {}, 'not_sent_retry', 'the receiver is in trouble (503)'],
    [503, { 'retry-after': '7' }, 'rate_limited', 'the receiver asks for a pause (503)'],
    [
      429,
      { 'retry-after': 'Fri, 15 Jan 2027 08:00:10 GMT' },
      'rate_limited',
      'the receiver asks for a pause (429)',
    ],
    [429, {}, 'rate_limited', 'the receiver asks for a pause (429)'],
  ])('with %i %o', async (status, headers, result, cause) => {
    const { port } = await startReceiver((_request, response) => response.writeHead(status, headers).end());
    const shipment = await shipPost(`http://receiver.test:${port}/`);
    expect(await shipment.send()).toMatchObject({ result, cause });
  });

  it('says how long it wants to be left alone', async () => {
    const waits: unknown[] = [];
    for (const headers of [{ 'retry-after': '7' }, { 'retry-after': 'Fri, 15 Jan 2027 08:00:10 GMT' }, {}]) {
      const { port } = await startReceiver((_request, response) => response.writeHead(429, headers).end());
      waits.push(await (await shipPost(`http://receiver.test:${port}/`)).send());
    }
    expect(waits).toMatchObject([{ retryAfterMs: 7000 }, { retryAfterMs: 10_000 }, { retryAfterMs: 30_000 }]);
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
