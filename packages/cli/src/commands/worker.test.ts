import { settlePolicies } from '@aftermeet/recipes';
import { describe, expect, it } from 'vitest';

import { findStopMs } from './worker.ts';

describe('findStopMs', () => {
  it.each([
    [{}, 130_000],
    [{ notion: { timeoutMs: 20_000 } }, 250_000],
    [{ email: { timeoutMs: 30_000 } }, 190_000],
    [{ folder: { timeoutMs: 300_000 } }, 310_000],
    // The default timeout of an export is a minute.
    [{ notion: { timeoutMs: 1000 }, email: { timeoutMs: 1000 } }, 70_000],
  ])('with %j is %i', (changes, expected) => {
    expect(findStopMs(settlePolicies(changes))).toBe(expected);
  });
});
