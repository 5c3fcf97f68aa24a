import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freshBody, genuine, toBytes } from './delivery-text.ts';
import { CAP, type Case, cases } from './fuzz-model.ts';
import { acceptedBody, openHarness, type Harness } from './harness.ts';

/** Sequences of up to five requests: a few hundred requests, or as many as are asked for. */
const numRuns = Math.ceil(Number(process.env['AFTERMEET_FUZZ_RUNS'] ?? 300) / 3);

let harness: Harness;
const counts = new Map<string, number>();
beforeAll(async () => {
  harness = await openHarness({ maxBodyBytes: CAP }, { refusals: { burst: 1e9, perSecond: 1e9 } });
});
afterAll(async () => {
  await harness.close();
  if (process.env['AFTERMEET_FUZZ_RUNS'] === undefined) return;
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
  process.stdout.write(
    `${total} requests: ${JSON.stringify(Object.fromEntries([...counts].toSorted(([one], [other]) => one.localeCompare(other))))}\n`,
  );
});

function note(status: number | undefined): void {
  const name = String(status ?? 'closed');
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/**
 * Sends the requests over one connection, cut at any places, and a genuine one at last. Every answer must be the one
 * that the model expects, in order; behind a request that is no HTTP the connection must end.
 */
async function runCase(sequence: readonly Case[], cuts: readonly number[]): Promise<void> {
  harness.inbox.forget();
  const last = freshBody();
  const connection = harness.connect();
  const broken = sequence.findIndex(({ expected }) => expected.includes(431));
  const together = broken === -1 ? sequence : sequence.slice(0, broken);
  const bad = sequence[broken];
  const bytes = Buffer.concat([...together, ...(bad === undefined ? [] : [bad])].map((each) => each.bytes));
  for (const piece of cut(bytes, cuts)) connection.send(piece);
  for (const { expected, choices } of together) {
    const answer = await connection.next();
    note(answer?.status);
    expect(expected, choices.join('; ')).toContain(answer?.status);
  }
  if (bad !== undefined) {
    const answer = await connection.next();
    note(answer?.status);
    // Where the answer before it was still under way, the connection ends behind that one.
    const mayEnd = together.length > 0 ? [undefined] : [];
    expect([...bad.expected, ...mayEnd], bad.choices.join('; ')).toContain(answer?.status);
  }
  connection.send(toBytes(genuine(last)));
  connection.finish();
  const rest = await connection.rest();
  if (bad === undefined) expect(rest).toMatchObject([{ status: 200, body: acceptedBody(last) }]);
  else for (const { status } of rest) expect([400, 431]).toContain(status);
  const stored = [
    ...together.filter(({ expected }) => expected.includes(200)).map(({ body }) => body.toString()),
    ...(bad === undefined ? [last.toString()] : []),
  ];
  expect(harness.inbox.bodies()).toEqual([...new Set(stored)]);
}

/** The bytes in pieces: cut at these places, which count from the end of the piece before. */
function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...pieces, bytes.subarray(at)].filter((piece) => piece.length > 0);
}

describe('requests of any kind', () => {
  it('are answered as the table says, and only what is genuine is stored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(cases, { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 5 }),
        runCase,
      ),
      { numRuns },
    );
  }, 3_600_000);
});
