import { afterEach, describe, expect, it } from 'vitest';

import { eventText, NOW_SECONDS, requestText, SECRET, sign } from './testing/event-text.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { readAll } from './testing/read-socket.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

let house: TestReceiver;
afterEach(() => house.receiver.close());

async function start(options: Parameters<typeof startTestReceiver>[0] = {}): Promise<string> {
  house = await startTestReceiver(options);
  return `${house.url}/hooks/default`;
}

describe('a genuine delivery', () => {
  it('is stored and answered 200, and known again whatever its delivery id says', async () => {
    const hook = await start();
    const first = await postDelivery(hook, eventText(), { 'x-service-delivery': 'd-1' });
    const id = house.stored[0]?.jobId;
    expect(first).toMatchObject({ status: 200, text: `{"status":"accepted","id":"${id}"}` });
    const replay = await postDelivery(hook, eventText(), { 'x-service-delivery': 'd-other' });
    expect(replay).toMatchObject({ status: 200, text: `{"status":"duplicate","id":"${id}"}` });
  });

  it('is known again when it was signed anew with the same delivery id', async () => {
    const hook = await start();
    const body = eventText();
    await postDelivery(hook, body, { 'x-service-delivery': 'd-1' });
    const retry = {
      'x-service-delivery': 'd-1',
      'x-service-timestamp': '1783425700',
      'x-service-signature': sign(body, '1783425700'),
    };
    expect((await postDelivery(hook, body, retry)).text).toContain('duplicate');
  });

  it('is not suppressed by another body under its delivery id', async () => {
    const hook = await start();
    for (const meeting_id of ['m_1', 'm_2']) {
      const answer = await postDelivery(hook, eventText({ meeting_id }), { 'x-service-delivery': 'd-1' });
      expect(answer.text).toContain('accepted');
    }
  });

  it('of an unknown kind is stored', async () => {
    const body = eventText({ event: 'meeting.renamed' });
    const answer = await postDelivery(await start(), body, { 'x-service-event': 'meeting.renamed' });
    expect(answer.text).toContain('accepted');
  });

  it('may be signed with either of two secrets during a rotation', async () => {
    const secrets = ['another-secret-0123456789', SECRET];
    const hook = await start({ endpoints: { byName: new Map([['default', { secrets }]]) } });
    expect((await postDelivery(hook, eventText())).status).toBe(200);
    const signature = sign(eventText(), NOW_SECONDS, 'another-secret-0123456789');
    expect((await postDelivery(hook, eventText(), { 'x-service-signature': signature })).status).toBe(200);
    // Whoever rotates sees in the log when the old one is not used any more.
    const indexes = house.lines.map((line) => /"secretIndex":(\d)/.exec(line)?.[1]);
    expect(indexes).toEqual(['1', undefined]);
  });

  it('may come to an address with a secret of its own', async () => {
    await start({
      endpoints: { byName: new Map([['sales', { secrets: [] }]]), masterSecret: 'master-secret-0123456789' },
    });
    const body = eventText();
    // The secret of that address, as whoever starts the recording gets it.
    const derived = '2c3271a7df83c98f44d8e26afa2c08625f2eed62a86413d4eb172d9c76e63a81';
    const changes = { 'x-service-signature': sign(body, NOW_SECONDS, derived) };
    const statusAt = async (path: string): Promise<number> =>
      (await postDelivery(`${house.url}/hooks/${path}`, body, changes)).status;
    expect([await statusAt('sales/k1'), await statusAt('sales/k2'), await statusAt('sales')]).toEqual([
      200, 401, 404,
    ]);
  });

  it('may name the whole address in its request line, or end it with a slash', async () => {
    const hook = await start();
    for (const target of [hook, '/hooks/default/']) {
      const socket = house.open(true);
      socket.end(requestText(eventText(), {}, { target }));
      expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  it('passes without a content type, with parameters, and whatever the query says', async () => {
    const hook = await start();
    const plain = await postDelivery(`${hook}?signature=skip`, eventText(), { 'content-type': undefined });
    expect(plain.status).toBe(200);
    const type = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await postDelivery(hook, eventText(), type)).status).toBe(200);
  });
});
