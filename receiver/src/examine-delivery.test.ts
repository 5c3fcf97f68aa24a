import { describe, expect, it } from 'vitest';

import { type ArrivedBody, identifyDelivery, identifyUnsigned } from './examine-delivery.ts';

const arrived = {
  endpoint: 'default',
  key: undefined,
  body: Buffer.from('{"event":"meeting.completed"}'),
  toleranceSeconds: 300,
};

const JOB_ID = 'c52ac0e59b59a7bcac0da4e85b00be7fc672818d5093f48ee663f12b660c12fa';

describe('identifyDelivery', () => {
  it('makes the job id from the address and the body only', () => {
    const idOf = (other: Partial<ArrivedBody>, deliveryId = 'd-1'): string =>
      identifyDelivery({ ...arrived, ...other }, deliveryId).jobId;
    expect(idOf({})).toBe(JOB_ID);
    expect(idOf({}, 'd-2')).toBe(JOB_ID);
    const others = [
      idOf({ endpoint: 'sales' }),
      idOf({ key: 'm-1' }),
      idOf({ key: 'm-2' }),
      idOf({ endpoint: 'defaultm', key: '-1' }),
      idOf({ body: Buffer.from('{}') }),
      identifyUnsigned(arrived).jobId,
    ];
    expect(new Set([JOB_ID, ...others]).size).toBe(7);
  });

  it('recognizes a repeated delivery for a week, and for as long as a captured one can be replayed', () => {
    expect(identifyDelivery(arrived, 'd-1').keepSeconds).toBe(604_800);
    expect(identifyDelivery({ ...arrived, toleranceSeconds: 604_800 }, 'd-1').keepSeconds).toBe(1_209_660);
  });

  it('makes the delivery key from endpoint and delivery id, for any body', () => {
    expect(identifyDelivery(arrived, 'd-1').deliveryKey).toBe('default/d-1');
    expect(identifyDelivery({ ...arrived, body: Buffer.from('{}') }, 'd-1').deliveryKey).toBe('default/d-1');
  });

  it('has no delivery key without a delivery id or a signature', () => {
    expect(identifyDelivery(arrived, undefined).deliveryKey).toBeUndefined();
    expect(identifyUnsigned(arrived).deliveryKey).toBeUndefined();
  });
});
