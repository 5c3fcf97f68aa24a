import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createEndpointLines, findPlace } from './endpoint-lines.ts';
import { createInbox, createJobQueue, openBackend, silentLog, startJobWorker } from './index.ts';

/** Deliveries that wait, and what an inbox and a worker do with them. */
function simulate() {
  const lines = createEndpointLines();
  let waiting: { readonly endpoint: string; readonly place: number }[] = [];
  return {
    accept(...endpoints: readonly string[]) {
      const places = lines.place(endpoints);
      const head = Math.min(...waiting.map(({ place }) => place));
      const known = waiting.length === 0 ? 0 : head;
      for (const [index, endpoint] of endpoints.entries()) {
        const place = places[index];
        if (place !== undefined) waiting.push({ endpoint, place: findPlace(place, known) });
      }
      lines.follow(endpoints, places, known);
    },
    take() {
      const sorted = waiting.toSorted((one, other) => one.place - other.place);
      waiting = sorted.slice(1);
      return sorted[0]?.endpoint;
    },
    get length() {
      return waiting.length;
    },
  };
}

describe('the lines of endpoints', () => {
  it('take turns', () => {
    const inbox = simulate();
    inbox.accept('sales', 'sales', 'sales', 'sales');
    inbox.accept('hr', 'hr');
    const taken = Array.from({ length: 6 }, () => inbox.take());
    expect(taken).toEqual(['sales', 'hr', 'sales', 'hr', 'sales', 'sales']);
  });

  it('do not pay for what was long ago', () => {
    const inbox = simulate();
    for (let count = 0; count < 1000; count += 1) inbox.accept('sales');
    for (let count = 0; count < 1000; count += 1) inbox.take();
    inbox.accept('sales', 'sales');
    inbox.accept('hr');
    expect([inbox.take(), inbox.take(), inbox.take()]).toEqual(['sales', 'hr', 'sales']);
  });

  it('keep a delivery waiting for at most one turn of each other line before it, however long they are', () => {
    const group = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 64 });
    const step = fc.oneof(group, fc.integer({ min: 1, max: 100 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const inbox = simulate();
        for (const each of steps) {
          if (typeof each === 'number') for (let count = 0; count < each; count += 1) inbox.take();
          else inbox.accept(...each);
        }
        inbox.accept('new');
        const before = [];
        for (let next = inbox.take(); next !== 'new'; next = inbox.take()) before.push(next);
        expect(before.length).toBeLessThanOrEqual(3);
        expect(new Set(before).size).toBe(before.length);
      }),
    );
  });
});

describeEachStore(
  'deliveries of several endpoints',
  (kind) => {
    it('are worked off by turns, those of one endpoint in their order', async () => {
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
      // Two writes under way at once count from the same place.
      expect(taken.slice(0, 6).filter((endpoint) => endpoint === 'hr')).toHaveLength(2);
      await worker.close();
      await queue.close();
      await inbox.close();
      await backend.close();
      await store.dispose();
    });
  },
  ['redis', 'postgres'],
);
