import { describe, expect, it } from 'vitest';

import { readStat } from './process-state.ts';

const REST = '1 2 3 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 87654 0 0';

describe('the state of a process', () => {
  it.each<[string, string, unknown]>([
    ['sleeps', `7 (node) S ${REST}`, { isDead: false, started: '87654' }],
    ['is a zombie', `7 (node) Z ${REST}`, { isDead: true, started: '87654' }],
    ['is dead', `7 (node) X ${REST}`, { isDead: true, started: '87654' }],
    ['has an odd name', `7 (a) Z (b) R ${REST}\n`, { isDead: false, started: '87654' }],
    ['is not there', '', undefined],
    ['is told in half', '7 (node) Z 1 2', undefined],
  ])('that %s', (_name, text, state) => {
    expect(readStat(text)).toEqual(state);
  });
});
