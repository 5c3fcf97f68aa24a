import { describe, expect, it } from 'vitest';

import { signDelivery } from './sign-delivery.ts';

const secret = 'whsec_0123456789abcdef';
const body = Buffer.from('{"a":1}');

describe('signDelivery', () => {
  it('signs the timestamp text, a full stop and the bytes', () => {
    expect(signDelivery({ secret, timestampSeconds: 1_783_425_600, body })).toStrictEqual({
      timestamp: '1783425600',
      signature: 'sha256=6228b6d083aca9bd5b0b1cf5fce55638a37ad999c3a54821b1e6fa282a6c15ad',
    });
  });

  it('signs every byte there is', () => {
    const every = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect(signDelivery({ secret, timestampSeconds: 1_783_425_600, body: every }).signature).toBe(
      'sha256=a3a4431be67a8b3c92e3f69fcd2a95c9057e86cc7bf5aa7078af73be8422f138',
    );
  });

  it('reads a view of a larger buffer within its bounds', () => {
    const larger = Buffer.from('xx{"a":1}yy');
    const view = new Uint8Array(larger.buffer, larger.byteOffset + 2, 7);
    expect(signDelivery({ secret, timestampSeconds: 1_783_425_600, body: view }).signature).toBe(
      'sha256=6228b6d083aca9bd5b0b1cf5fce55638a37ad999c3a54821b1e6fa282a6c15ad',
    );
  });

  it('signs the first and the last second that a receiver accepts', () => {
    const first = {
      timestamp: '0',
      signature: 'sha256=f0b0ac28cee0475623bc31f38b32d734aa5dff149b3590e592e47d4170587318',
    };
    expect(signDelivery({ secret, timestampSeconds: 0, body })).toStrictEqual(first);
    expect(signDelivery({ secret, timestampSeconds: -0, body })).toStrictEqual(first);
    expect(signDelivery({ secret, timestampSeconds: 99_999_999_999, body })).toStrictEqual({
      timestamp: '99999999999',
      signature: 'sha256=2df8eb046ef0ee629831fe383141ef48d782501019f211e14580cad78fbfceb7',
    });
  });

  it.each([-1, 1.5, 100_000_000_000, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21])(
    'refuses %d, which is no whole second in range',
    (timestampSeconds) => {
      expect(() => signDelivery({ secret, timestampSeconds, body })).toThrow(RangeError);
    },
  );

  it('refuses a time that is not a number', () => {
    // @ts-expect-error: a caller without types
    expect(() => signDelivery({ secret, timestampSeconds: '1783425600', body })).toThrow(RangeError);
  });

  it.each([
    '{"a":1}',
    { a: 1 },
    undefined,
    null,
    new ArrayBuffer(7),
    new DataView(new ArrayBuffer(7)),
    new Uint16Array(7),
  ])('refuses a body that is not bytes (%#)', (wrongBody) => {
    // @ts-expect-error: a caller without types
    expect(() => signDelivery({ secret, timestampSeconds: 1, body: wrongBody })).toThrow(TypeError);
  });

  it('refuses an empty secret and one that is not text', () => {
    expect(() => signDelivery({ secret: '', timestampSeconds: 1, body })).toThrow(RangeError);
    // @ts-expect-error: a caller without types
    expect(() => signDelivery({ secret: undefined, timestampSeconds: 1, body })).toThrow(TypeError);
  });
});
