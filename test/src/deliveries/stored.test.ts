import { createInbox, type Inbox, openBackend, silentLog } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { change, freshBody, genuine, NOW_SECONDS, sign, toBytes } from './delivery-text.ts';
import { openHarness, type Harness } from './harness.ts';

describeEachStore(
  'a receiver before a store',
  (kind) => {
    let inbox: Inbox;
    let harness: Harness;
    const closings: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      const store = await openTestStore(kind);
      closings.unshift(() => store.dispose());
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      closings.unshift(() => backend.close());
      inbox = await createInbox(backend, { log: silentLog });
      closings.unshift(() => inbox.close());
      harness = await openHarness({ inbox });
      closings.unshift(() => harness.close());
    });
    afterAll(async () => {
      for (const close of closings) await close();
    });

    it('stores each delivery once, however often and in whatever way it comes, and keeps what was refused', async () => {
      const connection = harness.connect();
      const body = freshBody();
      const later = String(Number(NOW_SECONDS) + 100);
      const again = [
        genuine(body),
        genuine(body),
        change(genuine(body), { 'x-service-delivery': 'd-2' }),
        change(genuine(body), { 'x-service-timestamp': later, 'x-service-signature': sign(body, later) }),
        change(genuine(body), { 'x-service-delivery': undefined }),
      ];
      const words: string[] = [];
      for (const text of again) {
        connection.send(toBytes(text));
        words.push(/"status":"(\w+)"/.exec((await connection.next())?.body ?? '')?.[1] ?? '');
      }
      expect(words).toEqual(['accepted', 'duplicate', 'duplicate', 'duplicate', 'duplicate']);
      // The name of another delivery suppresses nothing.
      connection.send(toBytes(genuine()));
      expect((await connection.next())?.body).toContain('accepted');
      connection.send(toBytes(genuine(Buffer.from('null'))));
      expect((await connection.next())?.status).toBe(400);
      expect(await inbox.listRefusals(10)).toMatchObject([{ reason: 'wrong_shape', bytes: 4 }]);
    });

    it('takes 8 pipelined deliveries and forgets none', async () => {
      const bytes = Buffer.concat(Array.from({ length: 8 }, () => toBytes(genuine())));
      for (const word of ['accepted', 'duplicate']) {
        const connection = harness.connect();
        connection.send(bytes);
        for (let count = 0; count < 8; count += 1) expect((await connection.next())?.body).toContain(word);
      }
    });
  },
  ['redis', 'postgres'],
);
