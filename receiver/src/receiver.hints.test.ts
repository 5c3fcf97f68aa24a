import { deriveCapabilityKey } from '@aftermeet/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { eventText, NOW_MS, signedHeaders } from './testing/event-text.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

const masterSecret = 'master-secret-0123456789';
const body = eventText();
const json = { 'content-type': 'application/json' };

let house: TestReceiver;
let nowMs: number;
beforeEach(async () => {
  nowMs = NOW_MS;
  house = await startTestReceiver({
    nowMs: () => nowMs,
    hintLimit: { burst: 3, perSecond: 0.1 },
    peerLimit: { burst: 1000, perSecond: 1 },
    endpoints: {
      masterSecret,
      byName: new Map([
        ['uploads', { secrets: ['whsec_0123456789abcdef'], unsigned: 'accept' as const }],
        ['closed', { secrets: ['whsec_0123456789abcdef'] }],
      ]),
    },
  });
});
afterEach(() => house.receiver.close());

async function post(path: string, headers: Record<string, string> = json) {
  const answer = await fetch(`${house.url}/hooks/${path}`, { method: 'POST', body, headers });
  return `${answer.status} ${await answer.text()}`;
}

const refused = '401 {"status":"refused","reason":"unauthorized"}';
const key = (endpoint: string) => deriveCapabilityKey(masterSecret, endpoint, 'm_1');

describe('an unsigned delivery', () => {
  it('at a capability address is stored as a hint', async () => {
    expect(await post(`uploads/${key('uploads')}`)).toMatch(/^200 {"status":"accepted"/);
    expect(house.stored[0]?.job).toMatchObject({ isUnsigned: true, endpoint: 'uploads', body });
    expect(house.stored[0]?.announcedAs).toBeUndefined();
  });

  it('never makes the signed delivery of the same body a duplicate', async () => {
    await post(`uploads/${key('uploads')}`);
    expect(await post('uploads', signedHeaders(body))).toMatch(/^200 {"status":"accepted"/);
    expect(house.stored.map(({ job }) => job.isUnsigned)).toEqual([true, undefined]);
  });

  it.each([
    ['without a key', 'uploads'],
    ['at a key that was not made here', `uploads/m_1.${'0'.repeat(32)}`],
    ['at a key of another form', 'uploads/m_1'],
    ['at the key of another endpoint', `uploads/${key('closed')}`],
    ['at an endpoint that takes none', `closed/${key('closed')}`],
  ])('%s is 401', async (_where, path) => {
    expect(await post(path)).toBe(refused);
    expect(house.stored).toEqual([]);
  });

  it.each(['x-service-signature', 'x-service-timestamp'])('with %s alone is 401', async (name) => {
    const only = { ...json, [name]: signedHeaders(body)[name] ?? '' };
    expect(await post(`uploads/${key('uploads')}`, only)).toBe(refused);
  });

  it('too often at one address is 429 from whomever, until a token is back', async () => {
    const path = `uploads/${key('uploads')}`;
    for (let count = 0; count < 3; count += 1) expect(await post(path)).toMatch(/^200 /);
    const limited = await fetch(`${house.url}/hooks/${path}`, { method: 'POST', body, headers: json });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await limited.text()).toBe('{"status":"refused","reason":"too_many"}');
    // The same peer at another address, and what is signed, pay nothing for it.
    expect(await post(`uploads/${deriveCapabilityKey(masterSecret, 'uploads', 'm_2')}`)).toMatch(/^200 /);
    expect(await post('uploads', signedHeaders(body))).toMatch(/^200 /);
    nowMs += 10_000;
    expect(await post(path)).toMatch(/^200 /);
    expect(await post(path)).toMatch(/^429 /);
  });

  it('at an address that was not made here takes nothing from those that were', async () => {
    for (let count = 0; count < 10; count += 1) {
      expect(await post(`uploads/m_1.${'0'.repeat(32)}`)).toBe(refused);
    }
    expect(await post(`uploads/${key('uploads')}`)).toMatch(/^200 /);
  });
});
