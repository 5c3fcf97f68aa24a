import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { add, change, freshBody, genuine, toBytes } from './delivery-text.ts';
import { openHarness, type Harness, refusedBody } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

describe('another method', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND', 'PURGE', 'M-SEARCH'])(
    '%s is 405 with its body unread, and the connection goes on',
    async (method) => {
      const text = { ...genuine(), requestLine: `${method} /hooks/default HTTP/1.1` };
      const { answer, connection } = await harness.attack(toBytes(text));
      // Some methods are young: a parser that does not know them says 400.
      if (answer?.status === 400) return;
      expect([answer?.status, answer?.headers.get('allow'), answer?.body]).toEqual([
        405,
        'POST',
        refusedBody('wrong_method'),
      ]);
      expect(connection).toBe('open');
    },
  );

  it('is 404 at an endpoint that is not there', async () => {
    const text = { ...genuine(), requestLine: 'GET /hooks/other HTTP/1.1' };
    expect(await harness.attack(toBytes(text))).toMatchObject({ status: 404 });
  });

  it('is not made of a POST by a header or the query', async () => {
    const text = add(genuine(), ['X-HTTP-Method-Override', 'POST']);
    const get = { ...text, requestLine: 'GET /hooks/default?_method=POST HTTP/1.1' };
    expect(await harness.attack(toBytes(get))).toMatchObject({ status: 405 });
  });

  it.each(['post', 'Post', 'POSTS', 'POS', 'XPOST', 'P\u00d6ST', ''])('%j is none: 400', async (method) => {
    const text = { ...genuine(), requestLine: `${method} /hooks/default HTTP/1.1` };
    expect(await harness.attack(toBytes(text))).toMatchObject({ status: 400, connection: 'closed' });
  });

  it('HEAD is 405 without a body', async () => {
    const connection = harness.connect();
    const head = change(
      { ...genuine(), requestLine: 'HEAD /hooks/default HTTP/1.1' },
      { 'content-length': '0' },
    );
    connection.send(toBytes(head, ''));
    const answer = await connection.next(true);
    expect([answer?.status, answer?.headers.get('allow')]).toEqual([405, 'POST']);
    connection.send(toBytes(genuine()));
    expect((await connection.next())?.status).toBe(200);
  });
});

describe('another protocol asked for', () => {
  it.each(['websocket', 'h2c', 'TLS/1.0', 'HTTP/2.0'])(
    '%s is not spoken: a delivery stays one',
    async (protocol) => {
      const body = freshBody();
      const text = add(genuine(body), ['Connection', 'Upgrade'], ['Upgrade', protocol]);
      expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200 });
      const forged = change(text, { 'x-service-signature': `sha256=${'0'.repeat(64)}` });
      expect(await harness.attack(toBytes(forged))).toMatchObject({ status: 401 });
    },
  );
});

describe('an older version', () => {
  it('HTTP/1.0 is answered, and the connection ends', async () => {
    const body = freshBody();
    const text = change(
      { ...genuine(body), requestLine: 'POST /hooks/default HTTP/1.0' },
      { host: undefined },
    );
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'closed' });
  });

  it('HTTP/0.9, which has no headers, brings nothing in', async () => {
    const { status, connection } = await harness.attack(Buffer.from('POST /hooks/default\r\n\r\n'));
    expect([400, 401]).toContain(status);
    expect(connection).toBe('closed');
  });

  it('HTTP/1.0 may keep its connection', async () => {
    const body = freshBody();
    const text = add({ ...genuine(body), requestLine: 'POST /hooks/default HTTP/1.0' }, [
      'Connection',
      'keep-alive',
    ]);
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
  });
});

describe('an expectation', () => {
  it('of 100-continue is met before the body is sent', async () => {
    const body = freshBody();
    const connection = harness.connect();
    connection.send(toBytes(add(genuine(body), ['Expect', '100-continue']), ''));
    expect((await connection.next())?.status).toBe(100);
    connection.send(body);
    expect((await connection.next())?.status).toBe(200);
    connection.destroy();
    expect(harness.inbox.bodies()).toContain(body.toString());
  });

  it('of 100-continue is not met where the delivery is refused by its head', async () => {
    const waiting = add(genuine(), ['Expect', '100-continue']);
    for (const [text, status] of [
      [change(waiting, { 'content-length': '300000' }), 413],
      [change(waiting, { 'content-encoding': 'gzip' }), 415],
      [{ ...waiting, requestLine: 'POST /hooks/other HTTP/1.1' }, 404],
      [{ ...waiting, requestLine: 'PUT /hooks/default HTTP/1.1' }, 405],
    ] as const) {
      const connection = harness.connect();
      connection.send(toBytes(text, ''));
      expect((await connection.rest()).map((answer) => answer.status)).toEqual([status]);
    }
  });

  it('of anything else is none', async () => {
    const body = freshBody();
    const text = add(genuine(body), ['Expect', 'a miracle']);
    expect(await harness.attack(toBytes(text), [body])).toMatchObject({ status: 200, connection: 'open' });
  });
});
