import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freshBody, genuine, toBytes } from './delivery-text.ts';
import { openHarness, type Harness } from './harness.ts';

const numRuns = Number(process.env['AFTERMEET_FUZZ_RUNS'] ?? 300);

let harness: Harness;
beforeAll(async () => {
  const endpoints = {
    byName: new Map([
      ['default', { secrets: ['whsec_0123456789abcdef'] }],
      // An address that is one bit away, with a secret of its own.
      ['defaulu', { secrets: ['whsec_fedcba9876543210'] }],
    ]),
    masterSecret: 'master-secret-0123456789',
  };
  harness = await openHarness({ endpoints }, { refusals: { burst: 1e9, perSecond: 1e9 } });
});
afterAll(() => harness.close());

/** Sends the bytes and ends: whatever they say, there is an end. The statuses that came. */
async function send(bytes: Buffer): Promise<number[]> {
  harness.inbox.forget();
  const connection = harness.connect();
  connection.send(bytes);
  connection.finish();
  return (await connection.rest()).map(({ status }) => status);
}

const changes = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(10_000), bit: fc.nat(7) }),
  fc.record({ kind: fc.constant('replace' as const), at: fc.nat(10_000), byte: fc.nat(255) }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(10_000), byte: fc.nat(255) }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(10_000) }),
  fc.record({
    kind: fc.constant('repeat' as const),
    at: fc.nat(10_000),
    length: fc.integer({ min: 1, max: 80 }),
  }),
  fc.record({ kind: fc.constant('swap' as const), at: fc.nat(10_000) }),
);

type Change = typeof changes extends fc.Arbitrary<infer Value> ? Value : never;

function mutate(bytes: Buffer, change: Change): Buffer {
  const at = change.at % bytes.length;
  const byte = bytes[at] ?? 0;
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + 1)];
  return Buffer.concat([before, ...insteadOf(byte, after)]);

  function insteadOf(old: number, rest: Buffer): Buffer[] {
    if (change.kind === 'flip') return [Buffer.from([old ^ (1 << change.bit)]), rest];
    if (change.kind === 'replace') return [Buffer.from([change.byte]), rest];
    if (change.kind === 'insert') return [Buffer.from([change.byte, old]), rest];
    if (change.kind === 'repeat') return [bytes.subarray(at, at + change.length), bytes.subarray(at)];
    if (change.kind === 'swap') return [rest.subarray(0, 1), Buffer.from([old]), rest.subarray(1)];
    return [rest];
  }
}

describe('a genuine request with any byte changed', () => {
  it('is never taken for anything but the event that was signed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 3 }), async (list) => {
        const body = freshBody({ data: { title: 'Sales sync', reason: null } });
        const text = genuine(body);
        const bytes = list.reduce(
          mutate,
          toBytes({ ...text, headers: [...text.headers, ['Connection', 'close']] }),
        );
        const statuses = await send(bytes);
        for (const status of statuses)
          expect([100, 200, 400, 401, 404, 405, 413, 415, 417, 431]).toContain(status);
        for (const { job } of harness.inbox.asked) {
          expect(job).toMatchObject({ endpoint: 'default', body: body.toString() });
          expect(job.key).toBeUndefined();
          expect(job.isUnsigned).toBeUndefined();
        }
        expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(
          harness.inbox.asked.length,
        );
      }),
      { numRuns },
    );
  }, 3_600_000);
});
