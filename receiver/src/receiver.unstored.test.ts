import { type Inbox, StoreUnavailable } from '@aftermeet/queue';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { eventText } from './testing/event-text.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { readAll } from './testing/read-socket.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

const gone = (what: string) => () => Promise.reject(new StoreUnavailable(what, new Error('gone')));
const unavailable: Inbox = {
  accept: gone('accepting a delivery'),
  recordRefusal: gone('recording a refusal'),
  listRefusals: gone('listing refusals'),
  ping: gone('ping'),
  close: () => Promise.resolve(),
};

let started: TestReceiver;
beforeEach(async () => {
  started = await startTestReceiver({ inbox: unavailable });
});
afterEach(() => started.receiver.close());

describe('when nothing can be stored', () => {
  it('answers 503 with Retry-After, also for what would be 400', async () => {
    const answer = await postDelivery(`${started.url}/hooks/default`, eventText());
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await postDelivery(`${started.url}/hooks/default`, 'null')).status).toBe(503);
  });

  it('asks the store once for all concurrent readiness requests', async () => {
    let pings = 0;
    let give = (): void => {};
    const given = new Promise<void>((_resolve, reject) => {
      give = () => reject(new Error('gone'));
    });
    const ping = (): Promise<void> => {
      pings += 1;
      return given;
    };
    const asked = await startTestReceiver({ inbox: { ...unavailable, ping } });
    const socket = asked.open(true);
    socket.end('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8));
    await expect.poll(() => pings, { interval: 2 }).toBe(1);
    give();
    expect((await readAll(socket)).match(/HTTP\/1\.1 503 /g)).toHaveLength(8);
    expect(asked.lines).toEqual(['not ready: the queue is unavailable {"error":"Error","times":1}']);
    expect(pings).toBe(1);
    await asked.receiver.close();
  });

  it('names the cause where the store has said it, in its log and in /readyz', async () => {
    const full = Object.assign(new Error('could not extend file "base/1": secret'), { code: '53100' });
    const fail = (): Promise<never> => Promise.reject(new StoreUnavailable('a write', full));
    const asked = await startTestReceiver({ inbox: { ...unavailable, accept: fail, ping: fail } });
    const ready = await fetch(`${asked.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'queue_unavailable', cause: 'disk_full', endpoints: 1 },
    ]);
    await postDelivery(`${asked.url}/hooks/default`, eventText());
    expect(asked.lines).toEqual([
      'not ready: the queue is unavailable {"error":"StoreUnavailable","cause":"disk_full","times":1}',
      expect.stringContaining('"refused":"unavailable","cause":"the queue cannot store it now: disk_full"'),
    ]);
    await asked.receiver.close();
  });

  it('says so to the balancer while the process itself is well', async () => {
    const statusOf = async (path: string): Promise<number> => (await fetch(started.url + path)).status;
    expect([await statusOf('/readyz'), await statusOf('/healthz'), await statusOf('/api/refusals')]).toEqual([
      503, 200, 503,
    ]);
  });
});
