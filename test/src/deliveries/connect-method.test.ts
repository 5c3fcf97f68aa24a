import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { freshBody, genuine, toBytes } from './delivery-text.ts';
import { openHouse, type ReceiverHouse } from './receiver-house.ts';

// Node takes the socket of a CONNECT out of the server's hands: nothing but the receiver ends it.

let house: ReceiverHouse;
beforeEach(async () => {
  house = await openHouse();
});
afterEach(async () => {
  let deadline: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    deadline = setTimeout(() => resolve(false), 5000);
  });
  const isClosed = await Promise.race([house.closeReceiver().then(() => true), late]);
  clearTimeout(deadline);
  if (!isClosed) throw new Error('the receiver does not close');
});

describe('CONNECT', () => {
  it.each(['/hooks/default', '127.0.0.1:80', '/hooks/other'])(
    '%s is 405 and opens nothing',
    async (target) => {
      const text = { ...genuine(freshBody()), requestLine: `CONNECT ${target} HTTP/1.1` };
      const { answer, connection } = await house.attack(toBytes(text));
      expect([answer?.status, answer?.headers.get('allow'), connection]).toEqual([405, 'POST', 'closed']);
    },
  );

  it('of a peer that goes on sending leaves nothing that stands in the way of the end', async () => {
    const connection = house.connect();
    connection.send(`CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: a\r\n\r\n${'x'.repeat(200_000)}`);
    expect((await connection.next())?.status).toBe(405);
    connection.send('x'.repeat(200_000));
  });
});
