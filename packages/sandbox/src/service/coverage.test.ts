import { listOperations } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { coverage } from './coverage.ts';

describe('coverage', () => {
  it('names every operation of the contract exactly once', () => {
    const named = [...coverage.played, ...coverage.notPlayed].toSorted();
    expect(named).toEqual(
      listOperations()
        .map(({ id }) => id)
        .toSorted(),
    );
  });
});
