import { StoreUnavailable } from '@aftermeet/queue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { change, type DeliveryText, freshBody, genuine, jobIdOf, sign, toBytes } from './delivery-text.ts';
import { openHarness, type Harness } from './harness.ts';
import { createListInbox } from './inboxes.ts';

// Each row of the table of answers once, with everything of the answer that is promised.

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ maxBodyBytes: 1000 });
});
afterAll(() => harness.close());

/** Body and promised headers; what Node adds to each answer is left out. */
async function answerTo(text: DeliveryText, of: Harness = harness) {
  const connection = of.connect();
  connection.send(toBytes(text));
  const answer = await connection.next();
  connection.destroy();
  const promised = [...(answer?.headers ?? [])].filter(
    ([name]) => !['date', 'connection', 'keep-alive'].includes(name),
  );
  return { status: answer?.status, ...Object.fromEntries(promised), body: answer?.body };
}

const json = (status: number, body: string, more: Record<string, string> = {}) => ({
  status,
  'content-type': 'application/json',
  'content-length': String(body.length),
  ...more,
  body,
});

describe('the answer to a delivery', () => {
  it('that is genuine is 200 with its id, and 200 again when it comes again', async () => {
    const body = Buffer.from('{"event":"meeting.completed","meeting_id":"m_frozen","timestamp":"t"}');
    // Computed with Python's hashlib.
    const id = '8161dc1901ee618bc438840feb2785146b9aa19129cc860a663d9ab7121302e1';
    expect(jobIdOf(body)).toBe(id);
    expect(await answerTo(genuine(body))).toEqual(json(200, `{"status":"accepted","id":"${id}"}`));
    expect(await answerTo(genuine(body))).toEqual(json(200, `{"status":"duplicate","id":"${id}"}`));
  });

  const big = freshBody({ data: { title: 'x'.repeat(1000) } });
  it.each<[string, DeliveryText, object]>([
    [
      'that is forged is 401',
      change(genuine(), { 'x-service-signature': `sha256=${'0'.repeat(64)}` }),
      json(401, '{"status":"refused","reason":"unauthorized"}'),
    ],
    [
      'that is signed but no delivery is 400',
      genuine(Buffer.from('null')),
      json(400, '{"status":"refused","reason":"malformed"}'),
    ],
    [
      'to an unknown endpoint is 404',
      genuine(freshBody(), '/hooks/unknown'),
      json(404, '{"status":"refused","reason":"unknown_endpoint"}'),
    ],
    [
      'by another method is 405 and names the right one',
      { ...genuine(), requestLine: 'PUT /hooks/default HTTP/1.1' },
      json(405, '{"status":"refused","reason":"wrong_method"}', { allow: 'POST' }),
    ],
    ['over the cap is 413', genuine(big), json(413, '{"status":"refused","reason":"too_large"}')],
    [
      'in another encoding is 415',
      change(genuine(), { 'content-encoding': 'gzip' }),
      json(415, '{"status":"refused","reason":"wrong_encoding"}'),
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await answerTo(text)).toEqual(expected);
  });

  it('with a head over the cap is 431, and the connection ends', async () => {
    const { answer, connection } = await harness.attack(
      toBytes(change(genuine(), { big: 'x'.repeat(17_000) })),
    );
    expect(answer?.head).toBe('HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close');
    expect([answer?.body, connection]).toEqual(['', 'closed']);
  });

  it('of a peer that is refused too often is 429 and names the seconds; a genuine one is not', async () => {
    const limited = await openHarness({}, { refusals: { burst: 1, perSecond: 0.5 } });
    const forged = () => change(genuine(), { 'x-service-signature': sign(freshBody()) });
    expect((await answerTo(forged(), limited)).status).toBe(401);
    expect(await answerTo(forged(), limited)).toEqual(
      json(429, '{"status":"refused","reason":"too_many"}', { 'retry-after': '2' }),
    );
    expect((await answerTo(genuine(), limited)).status).toBe(200);
    await limited.close();
  });

  it.each([
    ['genuine', genuine()],
    ['signed but no delivery', genuine(Buffer.from('null'))],
  ])('that is %s while the store is away is 503 and names the seconds', async (_name, text) => {
    const away = () => Promise.reject(new StoreUnavailable('accepting', new Error('gone')));
    const shut = await openHarness({
      inbox: { ...createListInbox(), accept: away, recordRefusal: away },
    });
    expect(await answerTo(text, shut)).toEqual(
      json(503, '{"status":"refused","reason":"unavailable"}', { 'retry-after': '2' }),
    );
    await shut.close();
  });

  it('that is refused by its head leaves the cause in the log, and nothing of its content', async () => {
    for (const [text, cause] of [
      [{ ...genuine(), requestLine: 'PUT /hooks/default HTTP/1.1' }, 'not a POST'],
      [change(genuine(), { 'content-encoding': 'gzip' }), 'content-encoding other than identity'],
    ] as const) {
      await answerTo(text);
      expect(harness.lines.at(-1)).toContain(`"${cause}"`);
      expect(harness.lines.at(-1)).not.toMatch(/meeting|sha256|whsec/);
    }
  });
});
