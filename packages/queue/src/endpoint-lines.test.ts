import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createEndpointLines, decidePlace } from './endpoint-lines.ts';
import { createInbox, createJobQueue, openBackend, silentLog, startJobWorker } from './index.ts';

interface Waiting {
  readonly endpoint: string;
  readonly place: number;
}

/** A store with its epoch, the receivers that write to it, and a worker. */
function simulate(receivers = 1) {
  const lines = Array.from({ length: receivers }, createEndpointLines);
  let waiting: Waiting[] = [];
  let epoch = 0;
  /** A write in two parts: others may come between the asking and the answer. */
  function begin(endpoints: readonly string[], receiver = 0) {
    const own = lines[receiver] ?? createEndpointLines();
    const asked = own.request(endpoints);
    return {
      write() {
        const head = waiting.length === 0 ? 0 : Math.min(...waiting.map(({ place }) => place));
        if (head === 0) epoch += 1;
        const state = { head, epoch };
        for (const [index, endpoint] of endpoints.entries()) {
          const request = asked.requests[index];
          if (request !== undefined)
            waiting.push({ endpoint, place: decidePlace(request, asked.epoch, state) });
        }
        return () => own.follow(endpoints, asked, state);
      },
    };
  }
  return {
    begin,
    accept: (endpoints: readonly string[], receiver = 0) => begin(endpoints, receiver).write()(),
    take: (): Waiting | undefined => {
      const [next, ...others] = waiting.toSorted((one, other) => one.place - other.place);
      waiting = others;
      return next;
    },
    /** What failed is tried again at its old place. */
    putBack: (delivery: Waiting) => void waiting.push(delivery),
  };
}

const repeat = (endpoint: string, count: number) => Array.from({ length: count }, () => endpoint);

describe('the lines of endpoints', () => {
  it('are worked off one delivery of each after the other', () => {
    const { accept, take } = simulate();
    accept(repeat('sales', 4));
    accept(repeat('hr', 2));
    const taken = Array.from({ length: 6 }, () => take()?.endpoint);
    expect(taken).toEqual(['sales', 'hr', 'sales', 'hr', 'sales', 'sales']);
  });

  it('do not pay for what was long ago, at any receiver', () => {
    const { accept, take } = simulate(2);
    accept(repeat('sales', 1000));
    for (let count = 0; count < 1000; count += 1) take();
    // The other one sees that no delivery waits.
    accept(repeat('hr', 100), 1);
    accept(['sales']);
    expect([take(), take(), take()].map((taken) => taken?.endpoint)).toEqual(['hr', 'sales', 'hr']);
  });

  it('do not pay for it either when two writes are under way at once', () => {
    const { accept, begin, take } = simulate();
    accept(repeat('sales', 1000));
    for (let count = 0; count < 1000; count += 1) take();
    const [one, other] = [begin(['hr']), begin(['sales'])];
    const ends = [one.write(), other.write()];
    for (const end of ends) end();
    accept(repeat('hr', 500));
    expect([take(), take()].map((taken) => taken?.endpoint)).toEqual(['hr', 'sales']);
  });

  it('stay where they are when a delivery is tried again', () => {
    const { accept, take, putBack } = simulate();
    accept(repeat('sales', 1000));
    const first = take();
    for (let count = 1; count < 500; count += 1) take();
    accept(['other']);
    if (first !== undefined) putBack(first);
    accept(repeat('hr', 500));
    const taken = Array.from({ length: 20 }, () => take()?.endpoint);
    expect(taken.filter((endpoint) => endpoint === 'sales').length).toBeGreaterThan(8);
  });

  it('keep a delivery waiting for a few of each other line before it, however long they are', () => {
    const group = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 64 });
    const step = fc.oneof(group, fc.integer({ min: 1, max: 100 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.integer({ min: 0, max: 1 })), { maxLength: 30 }), (steps) => {
        const { accept, take } = simulate(2);
        for (const [each, receiver] of steps) {
          if (typeof each === 'number') for (let count = 0; count < each; count += 1) take();
          else accept(each, receiver);
        }
        accept(['new']);
        const before: string[] = [];
        for (let next = take(); next !== undefined && next.endpoint !== 'new'; next = take())
          before.push(next.endpoint);
        // One of each line of each receiver, and once more where a line was at that place already.
        for (const endpoint of ['a', 'b', 'c'])
          expect(before.filter((name) => name === endpoint).length).toBeLessThanOrEqual(4);
      }),
    );
  });

  it('end at the highest priority that BullMQ takes', () => {
    const state = { head: 5, epoch: 1 };
    expect(decidePlace({ after: 2_097_150, rank: 1 }, 1, state)).toBe(2_097_151);
    expect(decidePlace({ after: 2_097_151, rank: 64 }, 1, state)).toBe(2_097_151);
  });
});

describeEachStore(
  'deliveries of several endpoints',
  (kind) => {
    it('are worked off one of each after the other', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      const inbox = await createInbox(backend, { log: silentLog });
      const accept = (endpoint: string, number: number) =>
        inbox.accept({
          jobId: `${endpoint}-${number}`,
          job: { endpoint, receivedAt: '2026-11-21T09:30:00.000Z', body: '{}' },
          keepSeconds: 60,
        });
      // In several writes, as from many connections.
      await Promise.all(Array.from({ length: 100 }, (_, number) => accept('sales', number)));
      for (let number = 100; number < 110; number += 1) await accept('sales', number);
      await accept('hr', 0);
      await accept('hr', 1);

      const taken: string[] = [];
      const worker = startJobWorker(
        backend,
        'event',
        async ({ data: { endpoint } }) => {
          taken.push(endpoint);
          return { kind: 'done' };
        },
        { concurrency: 1, log: silentLog },
      );
      const queue = await createJobQueue(backend);
      await expect.poll(() => taken.length, { timeout: 20_000, interval: 20 }).toBe(112);
      // Two writes under way at once count from the same place, and a third one where both have begun the lines.
      expect(taken.slice(0, 8).filter((endpoint) => endpoint === 'hr')).toHaveLength(2);
      await worker.close();
      await queue.close();
      await inbox.close();
      await backend.close();
      await store.dispose();
    });
  },
  ['redis', 'postgres'],
);
