import { createInbox, createJobQueue, openBackend, silentLog } from '@aftermeet/queue';
import { openTestStore } from '@aftermeet/test/support';
import { expect, it, onTestFinished } from 'vitest';

import { eventText } from './testing/event-text.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { startTestReceiver } from './testing/start-test-receiver.ts';

// Everything else is tested over a list in memory; what a real store adds is its own package's business.

it('a receiver over a real store takes a delivery once, and keeps what was refused', async () => {
  const store = await openTestStore('postgres');
  onTestFinished(() => store.dispose());
  const backend = await openBackend(store.queueUrl, { log: silentLog });
  onTestFinished(() => backend.close());
  const inbox = await createInbox(backend, { log: silentLog });
  onTestFinished(() => inbox.close());
  const queue = await createJobQueue(backend, { log: silentLog });
  onTestFinished(() => queue.close());
  const { receiver, url } = await startTestReceiver({ inbox });
  onTestFinished(() => receiver.close());

  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
  const first = await postUntilTaken(`${url}/hooks/default`, eventText());
  expect(first).toMatchObject({ status: 200, text: expect.stringMatching(/"(?:accepted|duplicate)"/) });
  const again = await postUntilTaken(`${url}/hooks/default`, eventText());
  expect(again).toMatchObject({ status: 200, text: first.text.replace('accepted', 'duplicate') });
  expect(await queue.counts('event')).toMatchObject({ waiting: 1 });

  expect((await postDelivery(`${url}/hooks/default`, 'null')).status).toBe(400);
  const kept = await (await fetch(`${url}/api/refusals`)).json();
  expect(kept).toMatchObject({ refusals: [{ endpoint: 'default', reason: 'wrong_shape', bytes: 4 }] });
});

/** As the service does: a disk that is busy for a second is a 503, and what is sent again after that may be stored already. */
async function postUntilTaken(url: string, body: string): ReturnType<typeof postDelivery> {
  for (let tries = 1; ; tries += 1) {
    const answer = await postDelivery(url, body);
    if (answer.status !== 503 || tries === 5) return answer;
  }
}
