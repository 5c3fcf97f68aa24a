import { type Inbox, StoreUnavailable } from '@aftermeet/queue';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { eventText } from './testing/event-text.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

const gone = (what: string) => () => Promise.reject(new StoreUnavailable(what, new Error('gone')));
const unavailable: Inbox = {
  accept: gone('accepting a delivery'),
  recordRefusal: gone('recording a refusal'),
  listRefusals: gone('listing refusals'),
  ping: gone('ping'),
  close: () => Promise.resolve(),
};

let house: TestReceiver;
beforeEach(async () => {
  house = await startTestReceiver({ inbox: unavailable });
});
afterEach(() => house.receiver.close());

describe('when nothing can be stored', () => {
  it('answers 503 with Retry-After, also for what would be 400', async () => {
    const answer = await postDelivery(`${house.url}/hooks/default`, eventText());
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
    expect((await postDelivery(`${house.url}/hooks/default`, 'null')).status).toBe(503);
  });

  it('says so to the balancer while the process itself is well', async () => {
    const statusOf = async (path: string): Promise<number> => (await fetch(house.url + path)).status;
    expect([await statusOf('/readyz'), await statusOf('/healthz'), await statusOf('/api/refusals')]).toEqual([
      503, 200, 503,
    ]);
  });
});
