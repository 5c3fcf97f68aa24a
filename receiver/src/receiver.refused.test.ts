import { createHash } from 'node:crypto';
import { request } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { eventText, NOW_SECONDS, requestText, sign, signedHeaders } from './testing/event-text.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { readAll } from './testing/read-socket.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

let house: TestReceiver;
afterEach(() => house.receiver.close());

async function start(options: Parameters<typeof startTestReceiver>[0] = {}): Promise<string> {
  house = await startTestReceiver(options);
  return `${house.url}/hooks/default`;
}

async function exchange(text: string): Promise<string> {
  const socket = house.open(true);
  socket.end(text);
  return await readAll(socket);
}

const body = eventText();
const signedAt = (timestamp: string): Record<string, string> => ({
  'x-service-timestamp': timestamp,
  'x-service-signature': sign(body, timestamp),
});

describe('a delivery that is not ours', () => {
  it.each<[string, Record<string, string>]>([
    ['no signature', { 'x-service-signature': '' }],
    ['another secret', { 'x-service-signature': sign(body, NOW_SECONDS, 'other-secret-0123456789') }],
    ['upper-case digits', { 'x-service-signature': sign(body).toUpperCase() }],
    ['a truncated signature', { 'x-service-signature': sign(body).slice(0, 39) }],
    ['no timestamp', { 'x-service-timestamp': '' }],
    ['a leading zero', signedAt(`0${NOW_SECONDS}`)],
    ['a plus sign', signedAt(`+${NOW_SECONDS}`)],
    ['a stale timestamp', signedAt('1783425299')],
    ['a future timestamp', signedAt('1783425901')],
  ])('is 401 with the same body for %s', async (_name, changes) => {
    expect(await postDelivery(await start(), body, changes)).toMatchObject({
      status: 401,
      text: '{"status":"refused","reason":"unauthorized"}',
    });
    expect(house.stored).toEqual([]);
  });

  it('is 401 when a header comes twice', async () => {
    await start();
    const again = { lines: [`x-service-signature: ${sign(body)}`] };
    expect(await exchange(requestText(body, {}, again))).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is 401 when U+FFFD stands where a broken byte was signed', async () => {
    const signed = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    const changes = { 'x-service-signature': sign(signed) };
    expect((await postDelivery(await start(), '{"\uFFFD"}', changes)).status).toBe(401);
  });
});

describe('a signed body that is no delivery', () => {
  it.each<[string, string | Uint8Array]>([
    ['null', 'null'],
    ['not JSON', '{"event":'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['a byte order mark', `\uFEFF${eventText()}`],
    ['nothing', ''],
    ['another shape', '{"hello":1}'],
    ['100,000 levels', '['.repeat(100_000)],
  ])('is 400 for %s, and kept as metadata', async (_name, wrong) => {
    expect((await postDelivery(await start(), wrong)).status).toBe(400);
    const kept = await (await fetch(`${house.url}/api/refusals`)).text();
    expect(kept).toContain(createHash('sha256').update(wrong).digest('hex'));
    expect(house.stored).toEqual([]);
  });

  it('is 400 when the event header says something else', async () => {
    const answer = await postDelivery(await start(), body, { 'x-service-event': 'meeting.failed' });
    expect(answer.status).toBe(400);
    expect(house.lines.join()).toContain('event_mismatch');
  });
});

describe('what is refused before it is read', () => {
  it('is 404 for an unknown endpoint', async () => {
    await start();
    expect((await postDelivery(`${house.url}/hooks/other`, body)).status).toBe(404);
    expect((await postDelivery(`${house.url}/hooks/default/key`, body)).status).toBe(404);
  });

  it('is 405 for another method', async () => {
    const response = await fetch(await start());
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is 415 for another encoding or content type', async () => {
    const hook = await start();
    expect((await postDelivery(hook, body, { 'content-encoding': 'gzip' })).status).toBe(415);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await postDelivery(hook, body, form)).status).toBe(415);
  });

  it('is 413 for a body over the cap, declared or not', async () => {
    const hook = await start({ maxBodyBytes: 1000 });
    const large = Buffer.alloc(1001, 'x');
    expect((await postDelivery(hook, large)).status).toBe(413);
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(hook, { method: 'POST', headers: signedHeaders(large) }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.on('error', reject);
      outgoing.write(large.subarray(0, 600));
      outgoing.end(large.subarray(600));
    });
    expect(status).toBe(413);
  });

  it('takes a body of exactly the cap', async () => {
    const hook = await start({ maxBodyBytes: body.length });
    expect((await postDelivery(hook, body)).status).toBe(200);
  });

  it('is 431 for headers over the cap, and loses none below it', async () => {
    await start();
    const many = Array.from({ length: 1200 }, (_, index) => `a${index}: 1\r\n`).join('');
    // In front of the others: what is dropped is dropped from the end.
    const flooded = await exchange(requestText(body).replace('host:', `${many}host:`));
    expect(flooded).toMatch(/^HTTP\/1\.1 200 /);
    expect(await exchange(requestText(body, { big: 'x'.repeat(20_000) }))).toMatch(/^HTTP\/1\.1 431 /);
    expect(house.lines.join()).toContain('431 Request Header Fields Too Large');
  });

  it('is 429 for a peer that was refused too often, but not for genuine deliveries', async () => {
    const hook = await start({ peerLimit: { burst: 2, perSecond: 0.01 } });
    for (let count = 0; count < 5; count += 1) {
      expect((await postDelivery(hook, eventText({ meeting_id: `m_${count}` }))).status).toBe(200);
    }
    const forged = { 'x-service-signature': sign(body, NOW_SECONDS, 'other-secret-0123456789') };
    expect((await postDelivery(hook, body, forged)).status).toBe(401);
    expect((await postDelivery(hook, body, forged)).status).toBe(401);
    const limited = await postDelivery(hook, body, forged);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '100']);
    // A genuine delivery of the same peer never pays for it.
    expect((await postDelivery(hook, eventText({ meeting_id: 'm_9' }))).status).toBe(200);
  });
});
