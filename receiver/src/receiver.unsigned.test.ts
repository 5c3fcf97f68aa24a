import { deriveCapabilityKey } from '@aftermeet/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { eventText, NOW_MS, signedHeaders } from './testing/event-text.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

const masterSecret = 'master-secret-0123456789';
const body = eventText();
const json = { 'content-type': 'application/json' };

let started: TestReceiver;
let nowMs: number;
beforeEach(async () => {
  nowMs = NOW_MS;
  started = await startTestReceiver(
    {
      nowMs: () => nowMs,
      endpoints: {
        masterSecret,
        byName: new Map([
          ['uploads', { secrets: ['whsec_0123456789abcdef'], unsigned: 'accept' as const }],
          ['closed', { secrets: ['whsec_0123456789abcdef'] }],
        ]),
      },
    },
    { unsigned: { burst: 3, perSecond: 0.1 }, refusals: { burst: 1000, perSecond: 1 } },
  );
});
afterEach(() => started.receiver.close());

async function post(path: string, headers: Record<string, string> = json) {
  const answer = await fetch(`${started.url}/hooks/${path}`, { method: 'POST', body, headers });
  return `${answer.status} ${await answer.text()}`;
}

const refused = '401 {"status":"refused","reason":"unauthorized"}';
const key = (endpoint: string) => deriveCapabilityKey(masterSecret, endpoint, 'm_1');

describe('the limit of unsigned deliveries', () => {
  it('too often at one address is 429 for every sender, until a token is back', async () => {
    const path = `uploads/${key('uploads')}`;
    for (let count = 0; count < 3; count += 1) expect(await post(path)).toMatch(/^200 /);
    const limited = await fetch(`${started.url}/hooks/${path}`, { method: 'POST', body, headers: json });
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
