import type { Matchable } from '../engine/recipe.ts';

/** A recipe without conditions that every endpoint runs. */
export const takesAll: Pick<Matchable, 'conditions' | 'runsAt' | 'rivals' | 'isExternalAddress'> = {
  conditions: [],
  runsAt: () => true,
  rivals: [],
  isExternalAddress: () => true,
};
