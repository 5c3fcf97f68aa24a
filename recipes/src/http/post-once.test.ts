import { createServer as createTcpServer } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import {
  listenHere,
  receiverNowMs,
  shipPost,
  startReceiver,
  stopReceivers,
} from '../testing/start-receiver.ts';

afterEach(stopReceivers);

describe('a receiver that does not answer', () => {
  it('was not sent anything when nobody listens', async () => {
    const port = await listenHere(createTcpServer());
    await stopReceivers();
    expect(await (await shipPost(`http://receiver.test:${port}/`)).send()).toEqual({
      result: 'not_sent_retry',
      contact: 'none',
      cause: 'no connection to the receiver came about (ECONNREFUSED)',
    });
  });

  it('was not sent anything when it speaks no TLS', async () => {
    const port = await listenHere(createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')));
    const result = await (await shipPost(`https://receiver.test:${port}/`)).send();
    expect(result).toMatchObject({ result: 'not_sent_retry' });
  });

  it('may have taken it when it drops the connection', async () => {
    const { port, received } = await startReceiver((request) => request.socket.destroy());
    const shipment = await shipPost(`http://receiver.test:${port}/`);
    const cause = 'the receiver was sent it and did not answer (ECONNRESET)';
    expect(await shipment.send()).toEqual({ result: 'unknown', cause, contact: 'none' });
    expect(received).toHaveLength(1);
    expect(await shipment.probe(receiverNowMs)).toEqual({ result: 'untraceable' });
  });

  it('may have taken it when it is silent, and is hung up on', async () => {
    let isOver: Promise<unknown> | undefined;
    const { port } = await startReceiver((request) => {
      isOver = new Promise((resolve) => request.socket.once('close', resolve));
    });
    const shipment = await shipPost(`http://receiver.test:${port}/`, { timeoutMs: 300 });
    const cause = 'the receiver was sent it and did not answer (ETIMEDOUT)';
    expect(await shipment.send()).toEqual({ result: 'unknown', cause, contact: 'none' });
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
    const shipment = await shipPost(`http://receiver.test:${port}/`, { timeoutMs: 300 });
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
  });

  it('may have taken it when its answer is no HTTP', async () => {
    const port = await listenHere(createTcpServer((socket) => socket.end('220 mail.test ESMTP\r\n')));
    expect(await (await shipPost(`http://receiver.test:${port}/`)).send()).toMatchObject({
      result: 'unknown',
    });
  });
});
