import type * as Crypto from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import type * as Signature from './signature.ts';
import type * as VerifyDelivery from './verify-delivery.ts';

// Counts what is computed and how it is compared; everything still does its real work.
vi.mock('node:crypto', async (importOriginal) => {
  const real = await importOriginal<typeof Crypto>();
  return { ...real, timingSafeEqual: vi.fn<typeof Crypto.timingSafeEqual>(real.timingSafeEqual) };
});
vi.mock('./signature.ts', async (importOriginal) => {
  const real = await importOriginal<typeof Signature>();
  return { ...real, computeMac: vi.fn<typeof Signature.computeMac>(real.computeMac) };
});

// Test files share their modules: these are loaded anew for this file, and forgotten after it.
let timingSafeEqual: typeof Crypto.timingSafeEqual;
let computeMac: typeof Signature.computeMac;
let verifyDelivery: typeof VerifyDelivery.verifyDelivery;

beforeAll(async () => {
  vi.resetModules();
  ({ timingSafeEqual } = await import('node:crypto'));
  ({ computeMac } = await import('./signature.ts'));
  ({ verifyDelivery } = await import('./verify-delivery.ts'));
});
afterAll(() => {
  vi.resetModules();
});

const secret = 'whsec_0123456789abcdef';
const genuine = {
  body: Buffer.from('{"a":1}'),
  signature: 'sha256=6228b6d083aca9bd5b0b1cf5fce55638a37ad999c3a54821b1e6fa282a6c15ad',
  timestamp: '1783425600',
  nowSeconds: 1_783_425_600,
};

describe('the work of a verification', () => {
  beforeEach(() => {
    vi.mocked(computeMac).mockClear();
    vi.mocked(timingSafeEqual).mockClear();
  });

  it.each([
    ['the first', [secret, 'second secret of three', 'third secret of three']],
    ['the last', ['first secret of three', 'second secret of three', secret]],
    ['none', ['first secret of three', 'second secret of three', 'third secret of three']],
  ])('is the same when %s of three secrets matches', (_which, secrets) => {
    verifyDelivery({ ...genuine, secrets });
    expect(computeMac).toHaveBeenCalledTimes(3);
    expect(timingSafeEqual).toHaveBeenCalledTimes(3);
  });

  it('compares 32 bytes with 32 bytes', () => {
    verifyDelivery({ ...genuine, secrets: [secret] });
    expect(
      vi.mocked(timingSafeEqual).mock.calls.map(([left, right]) => [left.byteLength, right.byteLength]),
    ).toStrictEqual([[32, 32]]);
  });

  it('is nothing when a header is malformed or the time is wrong', () => {
    verifyDelivery({ ...genuine, secrets: [secret], signature: 'sha256=00' });
    verifyDelivery({ ...genuine, secrets: [secret], timestamp: '+1783425600' });
    verifyDelivery({ ...genuine, secrets: [secret], nowSeconds: 1_783_425_901 });
    expect(computeMac).not.toHaveBeenCalled();
  });
});
