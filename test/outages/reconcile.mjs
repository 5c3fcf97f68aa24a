import { readBodies } from './stores/bull-jobs.mjs';

/** More jobs than this are taken out once they are counted, so that reading stays quick; their marks stay. */
const REMOVE_ABOVE = 5000;

/**
 * Compares the queue with what was sent. Each acknowledged delivery must be there once, each other at most once, and
 * nothing that nobody sent.
 */
export async function reconcile(store, ledger) {
  const foreign = [];
  const total = await store.withQueue(async (queue) => {
    const { total: found, bodies } = await readBodies(queue);
    for (const delivery of ledger.byId.values()) delivery.jobs = delivery.removedJobs;
    for (const body of bodies) {
      const delivery = findSent(ledger, body);
      if (delivery === undefined) foreign.push(body.slice(0, 80));
      else delivery.jobs += 1;
    }
    if (bodies.length !== found)
      throw new Error(`the queue counts ${found} jobs and showed ${bodies.length}`);
    if (found > REMOVE_ABOVE) {
      await queue.drain(true);
      for (const delivery of ledger.byId.values()) delivery.removedJobs = delivery.jobs;
    }
    return found;
  });

  // Each wrong is told once, in the round that did it.
  const told = (list, delivery, what) => {
    if (delivery.told.has(what)) return;
    delivery.told.add(what);
    list.push(delivery.id);
  };
  const lost = [];
  const doubled = [];
  const acceptedTwice = [];
  const unanswered = [];
  for (const delivery of ledger.byId.values()) {
    const isAcknowledged = delivery.accepted + delivery.duplicate > 0;
    if (isAcknowledged && delivery.jobs === 0) told(lost, delivery, 'lost');
    if (delivery.jobs > 1) told(doubled, delivery, 'doubled');
    if (delivery.accepted > 1) told(acceptedTwice, delivery, 'accepted twice');
    if (!isAcknowledged && !delivery.isGivenUp) told(unanswered, delivery, 'unanswered');
  }
  return { total, lost, doubled, foreign, acceptedTwice, unanswered };
}

/** The delivery with exactly these bytes. */
function findSent({ byId }, body) {
  try {
    const delivery = byId.get(JSON.parse(body).meeting_id);
    return delivery?.body.equals(Buffer.from(body)) === true ? delivery : undefined;
  } catch {
    // Not even JSON.
    return undefined;
  }
}
