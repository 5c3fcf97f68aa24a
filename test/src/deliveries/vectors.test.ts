import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { change, genuine, toBytes } from './delivery-text.ts';
import { openHarness } from './harness.ts';

interface ServiceVector {
  readonly name: string;
  readonly secret: string;
  readonly timestamp: string;
  readonly body_base64: string;
  readonly signature: string;
}

interface WycheproofVector {
  readonly tcId: number;
  readonly tag: string;
  readonly msg: string;
  readonly result: 'valid' | 'invalid';
}

const readVectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8'));
const service: { cases: readonly ServiceVector[] } = readVectors('service-deliveries.json');
const wycheproof: { testGroups: readonly { tests: readonly WycheproofVector[] }[] } = readVectors(
  'wycheproof-hmac-sha256.json',
);

const bytesOf = (vector: ServiceVector, signature = vector.signature) =>
  toBytes(
    change(genuine(Buffer.from(vector.body_base64, 'base64')), {
      'x-service-event': undefined,
      'x-service-timestamp': vector.timestamp,
      'x-service-signature': signature,
    }),
  );

/** What each of the vectors must be answered: all are signed, not all are deliveries. */
const statuses = [
  ['completed, compact', 200],
  ['completed, with CRLF and blanks', 200],
  ['failed, Cyrillic and an astral character', 200],
  ['empty body', 400],
  ['a byte that is not UTF-8', 400],
  ['U+FFFD in place of that byte: must differ', 400],
  ['byte order mark first', 400],
  ['trailing newline', 200],
  ['timestamp zero', 200],
  ['secret of 128 characters', 200],
  ['secret with non-ASCII characters', 200],
  ['secret with blanks at its ends, never trimmed', 200],
];

const createVectorHarness = (vector: ServiceVector) =>
  openHarness({
    endpoints: { byName: new Map([['default', { secrets: [vector.secret] }]]) },
    nowMs: () => Number(vector.timestamp) * 1000,
  });

describe('the vectors of the service’s scheme', () => {
  it('are answered by what they are', async () => {
    const found: (readonly [string, number | undefined])[] = [];
    for (const vector of service.cases) {
      const harness = await createVectorHarness(vector);
      const connection = harness.connect();
      connection.send(bytesOf(vector));
      found.push([vector.name, (await connection.next())?.status]);
      await harness.close();
    }
    expect(found).toEqual(statuses);
  });

  it('are none of them valid with the signature of another', async () => {
    for (const [index, vector] of service.cases.entries()) {
      const harness = await createVectorHarness(vector);
      const connection = harness.connect();
      const others = service.cases.filter(
        (other, at) => at !== index && other.signature !== vector.signature,
      );
      for (const other of others) {
        connection.send(bytesOf(vector, other.signature));
        expect((await connection.next())?.status, `${vector.name} / ${other.name}`).toBe(401);
      }
      await harness.close();
    }
  });

  it('of Wycheproof are none of them signatures of a delivery', async () => {
    const [vector] = service.cases;
    if (vector === undefined) throw new Error('no vectors');
    const harness = await createVectorHarness(vector);
    const connection = harness.connect();
    for (const { tests } of wycheproof.testGroups) {
      for (const { tag, tcId } of tests) {
        connection.send(bytesOf(vector, `sha256=${tag}`));
        expect((await connection.next())?.status, `tcId ${tcId}`).toBe(401);
      }
    }
    await harness.close();
  });
});
