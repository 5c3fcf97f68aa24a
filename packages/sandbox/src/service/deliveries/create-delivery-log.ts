import { createCollection } from '../state/collection.ts';
import type { Journal } from '../state/journal.ts';
import { deliverySchema, type Delivery } from './delivery.ts';

/** The deliveries of one sandbox: those that wait, and the newest of those that do not. */
export interface DeliveryLog {
  readonly find: (id: string) => Delivery | undefined;
  /** Oldest first. */
  readonly list: () => readonly Delivery[];
  readonly put: (delivery: Delivery) => void;
  readonly clear: () => void;
}

/** What does not wait any more is forgotten beyond about this number, the one first that ended first. */
export const keptDeliveries = 1000;

/** A set finds its first entry slowly when the ones before it were taken out one at a time. */
const forgottenAtOnce = 100;

/** What waits is forgotten only here, so that a sandbox without a receiver does not grow for ever. */
const mostDeliveries = 100_000;

export function createDeliveryLog(journal: Journal, onForgotten: (id: string) => void): DeliveryLog {
  const deliveries = createCollection({
    name: 'deliveries',
    schema: deliverySchema,
    keyOf: ({ id }) => id,
    limit: mostDeliveries,
    journal,
    onForgotten({ id }) {
      ended.delete(id);
      onForgotten(id);
    },
  });
  /** The one first that ended first. */
  const ended = new Set<string>();
  for (const { id, state } of deliveries.list()) if (state !== 'waiting') ended.add(id);

  function forgetOldest(): void {
    for (const id of ended) {
      if (ended.size <= keptDeliveries) return;
      ended.delete(id);
      deliveries.remove(id);
    }
  }

  return {
    find: deliveries.find,
    list: deliveries.list,
    put(delivery) {
      if (deliveries.find(delivery.id) === delivery) return;
      deliveries.put(delivery);
      ended.delete(delivery.id);
      if (delivery.state === 'waiting') return;
      ended.add(delivery.id);
      if (ended.size >= keptDeliveries + forgottenAtOnce) forgetOldest();
    },
    clear() {
      ended.clear();
      deliveries.clear();
    },
  };
}
