import { describe, expect, it } from 'vitest';

import { noJournal } from '../state/journal.ts';
import { createDeliveryLog, keptDeliveries } from './create-delivery-log.ts';
import type { Delivery } from './delivery.ts';

describe('how much is kept', () => {
  const makeDelivery = (id: number, state: Delivery['state']): Delivery => ({
    id: String(id),
    meetingId: 'm',
    event: 'meeting.completed',
    url: 'http://127.0.0.1:1/',
    body: '{}',
    state,
    isRedelivery: false,
    attempts: [],
    attemptsMade: 0,
  });

  it('is everything that waits, and about a thousand others, the one first forgotten that ended first', () => {
    const log = createDeliveryLog(noJournal, () => {});
    for (let id = 0; id < 3000; id += 1) log.put(makeDelivery(id, 'waiting'));
    expect(log.list()).toHaveLength(3000);
    for (let id = 2999; id >= 0; id -= 1) log.put(makeDelivery(id, 'delivered'));
    const ids = log.list().map(({ id }) => Number(id));
    expect(ids.length).toBeGreaterThanOrEqual(keptDeliveries);
    expect(ids.length).toBeLessThan(keptDeliveries + 100);
    expect(ids).toEqual([...ids.keys()]);
  });

  it('counts from the last end of one that was delivered again', () => {
    const log = createDeliveryLog(noJournal, () => {});
    for (const id of [-1, -2, -3]) log.put(makeDelivery(id, 'delivered'));
    log.put(makeDelivery(-1, 'waiting'));
    log.put(makeDelivery(-2, 'waiting'));
    for (let id = 0; id < 600; id += 1) log.put(makeDelivery(id, 'delivered'));
    log.put(makeDelivery(-2, 'given_up'));
    for (let id = 600; id < 1300; id += 1) log.put(makeDelivery(id, 'delivered'));
    expect([-1, -2, -3].map((id) => log.find(String(id))?.state)).toEqual(['waiting', 'given_up', undefined]);
  });
});
