import { describe, expect, it } from 'vitest';

import { carryTrace, readTraceparent, withSpan, withTraceparent, writeTraceparent } from './tracing.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
/** W3C Trace Context, the example of the specification. */
const traceparent = `00-${traceId}-${spanId}-01`;

describe('a traceparent', () => {
  it('is read and written', () => {
    expect(readTraceparent(traceparent)).toEqual({ traceId, spanId, traceFlags: 1, isRemote: true });
    expect(writeTraceparent({ traceId, spanId, traceFlags: 1 })).toBe(traceparent);
    expect(writeTraceparent({ traceId, spanId, traceFlags: 0 })).toBe(`00-${traceId}-${spanId}-00`);
    expect(writeTraceparent({ traceId: '0'.repeat(32), spanId, traceFlags: 1 })).toBeUndefined();
  });

  it.each([
    undefined,
    '',
    `01-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `${traceparent}-00`,
    `${traceparent}\n`,
    ` ${traceparent}`,
    `00-${traceId}-${spanId}-1`,
    'x'.repeat(100_000),
  ])('is none: %j', (text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });
});

describe('without an SDK', () => {
  it('work is done as it is, and jobs carry nothing', async () => {
    const job = { effectKey: 'k1' };
    const result = await withTraceparent(traceparent, () =>
      withSpan('effect', {}, async () => carryTrace(job)),
    );
    expect(result).toBe(job);
    await expect(withSpan('send', {}, () => Promise.reject(new Error('it broke')))).rejects.toThrow(
      'it broke',
    );
  });
});
