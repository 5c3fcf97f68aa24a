import { describe, expect, it } from 'vitest';

import { bindRecipes } from './bind-recipes.ts';

describe('bindRecipes', () => {
  it('refuses to start with recipes that cannot run, and says why', () => {
    const recipe = { name: 'a', use: 'notion-page', when: {}, with: {} };
    expect(() => bindRecipes([recipe], {})).toThrow(/recipes\.a\.use: found notion-page; expected/);
  });
});
