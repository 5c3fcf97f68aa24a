import { describe, expect, it } from 'vitest';

import { identifyDelivery } from './identify-delivery.ts';

const delivery = {
  endpoint: 'default',
  deliveryId: 'd-1',
  mac: 'ab'.repeat(32),
  body: Buffer.from('{"event":"meeting.completed"}'),
  toleranceSeconds: 300,
};

describe('identifyDelivery', () => {
  it('knows a replay of the same bytes for twice the tolerance and a minute, a retry for a week', () => {
    expect(identifyDelivery(delivery).fingerprints.map(({ keepSeconds }) => keepSeconds)).toEqual([
      660, 604_800,
    ]);
  });

  it('makes the job id from the endpoint and the body alone', () => {
    const { jobId } = identifyDelivery(delivery);
    expect(jobId).toBe('c52ac0e59b59a7bcac0da4e85b00be7fc672818d5093f48ee663f12b660c12fa');
    expect(identifyDelivery({ ...delivery, deliveryId: 'd-2', mac: 'cd'.repeat(32) }).jobId).toBe(jobId);
    expect(identifyDelivery({ ...delivery, endpoint: 'sales' }).jobId).not.toBe(jobId);
    expect(identifyDelivery({ ...delivery, body: Buffer.from('{}') }).jobId).not.toBe(jobId);
  });

  it('does not let a stolen delivery id make another body a duplicate', () => {
    const genuine = identifyDelivery(delivery);
    const poisoned = identifyDelivery({
      ...delivery,
      mac: 'cd'.repeat(32),
      body: Buffer.from('{"event":"x"}'),
    });
    const keys = new Set(genuine.fingerprints.map(({ key }) => key));
    expect(poisoned.fingerprints.some(({ key }) => keys.has(key))).toBe(false);
  });

  it('does without a delivery id', () => {
    expect(identifyDelivery({ ...delivery, deliveryId: undefined }).fingerprints).toHaveLength(1);
  });
});
