import { createFindings } from '../report.mjs';
import { readBodies } from '../stores.mjs';

/** More jobs than this are taken out once they are counted, so that reading stays quick; their marks stay. */
const REMOVE_ABOVE = 5000;

/**
 * Compares the queue with what was sent. Each acknowledged delivery must be there once, each other at most once, and
 * nothing that was not sent.
 */
export async function reconcile(store, ledger) {
  const unexpected = [];
  await store.withQueue(async (queue) => {
    const { total: found, bodies } = await readBodies(queue);
    for (const delivery of ledger.byId.values()) delivery.jobs = delivery.removedJobs;
    for (const body of bodies) {
      const delivery = findSent(ledger, body);
      if (delivery === undefined) unexpected.push(body.slice(0, 80));
      else delivery.jobs += 1;
    }
    if (bodies.length !== found)
      throw new Error(`the queue counts ${found} jobs and showed ${bodies.length}`);
    if (found > REMOVE_ABOVE) {
      await queue.drain(true);
      for (const delivery of ledger.byId.values()) delivery.removedJobs = delivery.jobs;
    }
  });

  const findings = createFindings();
  const figures = { lost: 0, doubled: 0, unexpected: unexpected.length };
  for (const body of unexpected) findings.add('in the queue but never sent', body);
  for (const delivery of ledger.byId.values()) {
    const isAcknowledged = delivery.accepted + delivery.duplicate > 0;
    const check = (isWrong, what, figure) => {
      // Each wrong is told once, in the round that did it.
      if (!isWrong || delivery.told.has(what)) return;
      delivery.told.add(what);
      findings.add(what, delivery.id);
      if (figure !== undefined) figures[figure] += 1;
    };
    check(isAcknowledged && delivery.jobs === 0, 'acknowledged but not in the queue', 'lost');
    check(delivery.jobs > 1, 'in the queue more than once', 'doubled');
    check(delivery.accepted > 1, 'answered `accepted` more than once', 'doubled');
    check(!isAcknowledged && !delivery.isGivenUp, 'never answered 200, however often it was sent again');
  }
  return { figures, violations: findings.list() };
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
