import { createJobQueue } from '../../../../packages/queue/dist/index.js';
import { openLedger } from '../../../../recipes/dist/engine/store/open-stores.js';
import { withBackend } from './with-backend.mjs';

const destinations = ['slack', 'notion', 'email', 'http', 'folder'];

/** What has become of everything in a namespace: the jobs of both kinds, and the ledger's effects by their state. */
export function countAll({ queueUrl, namespace }) {
  return withBackend({ queueUrl, namespace }, createJobQueue, async (queue, backend) => {
    const ledger = await openLedger(backend);
    try {
      const perDestination = await Promise.all(destinations.map((name) => queue.countEffects(name)));
      const effects = {};
      for (const counts of perDestination) {
        for (const [state, count] of Object.entries(counts)) effects[state] = (effects[state] ?? 0) + count;
      }
      return { events: await queue.counts('event'), effects, ledger: await ledger.counts() };
    } finally {
      await ledger.close();
    }
  });
}
