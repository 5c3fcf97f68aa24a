import { describe, expect, it } from 'vitest';

import { type ArrivedBody, identifyDelivery, identifyHint } from './identify-delivery.ts';

const arrived = {
  endpoint: 'default',
  key: undefined,
  body: Buffer.from('{"event":"meeting.completed"}'),
  toleranceSeconds: 300,
};
const JOB_ID = 'c52ac0e59b59a7bcac0da4e85b00be7fc672818d5093f48ee663f12b660c12fa';

describe('identifyDelivery', () => {
  it('makes the job id from the address and the body alone', () => {
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
      identifyHint(arrived).jobId,
    ];
    expect(new Set([JOB_ID, ...others]).size).toBe(7);
  });

  it('knows a delivery again for a week, and for as long as a captured one can be replayed', () => {
    expect(identifyDelivery(arrived, 'd-1').keepSeconds).toBe(604_800);
    expect(identifyDelivery({ ...arrived, toleranceSeconds: 604_800 }, 'd-1').keepSeconds).toBe(1_209_660);
  });

  it('names the announcement by endpoint and delivery id, whatever the body', () => {
    expect(identifyDelivery(arrived, 'd-1').announcedAs).toBe('default/d-1');
    expect(identifyDelivery({ ...arrived, body: Buffer.from('{}') }, 'd-1').announcedAs).toBe('default/d-1');
  });

  it('does without a delivery id, and lets a hint announce nothing', () => {
    expect(identifyDelivery(arrived, undefined).announcedAs).toBeUndefined();
    expect(identifyHint(arrived).announcedAs).toBeUndefined();
  });
});
