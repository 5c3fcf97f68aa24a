import { type Attempt, endAs, endNotSent, endSent } from './attempt.ts';
import type { Ending } from './ending.ts';
import type { Shipment } from './shipment.ts';

/**
 * Changes what an earlier effect of the same subject sent, in place of sending once more. A change may be repeated, so
 * nothing is looked for when it is not clear what became of it; but it is repeated only when the lease is over, because
 * what is under way still would undo it. What can't be changed (a mail) stays as it is.
 */
export async function changeSent(previous: string, shipment: Shipment, attempt: Attempt): Promise<Ending> {
  if (shipment.update === undefined) {
    const cause = 'it was sent before, and what this destination was given can not be changed';
    return await endAs({ state: 'skipped', cause }, { kind: 'skipped', cause }, attempt);
  }
  const updated = await shipment.update(previous);
  if (updated.result === 'sent') return await endSent(updated.reference, true, attempt);
  if (updated.result === 'gone') {
    const { cause } = updated;
    return await endAs({ state: 'skipped', cause }, { kind: 'skipped', cause }, attempt);
  }
  if (updated.result === 'unknown') {
    const { cause } = updated;
    const ending = { kind: 'retry', why: 'destination', cause, forMs: attempt.leaseMs } as const;
    return await endAs({ state: 'pending' }, ending, attempt);
  }
  return await endNotSent(updated, attempt);
}
