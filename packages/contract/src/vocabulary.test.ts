import { describe, expect, it } from 'vitest';

import { platforms, templateSlugs } from './vocabulary.ts';

describe('templateSlugs', () => {
  it('holds the sixteen built-in templates; only the slugs of the specification are certain', () => {
    expect(templateSlugs).toHaveLength(16);
    expect(templateSlugs.filter(({ assumed }) => !assumed).map(({ slug }) => slug)).toStrictEqual([
      'default-meeting',
      'sales-meeting',
      'team-sync',
    ]);
  });

  it('has each slug once, in the pattern of the certain ones', () => {
    expect(new Set(templateSlugs.map(({ slug }) => slug)).size).toBe(16);
    for (const { name, slug } of templateSlugs) expect(slug).toBe(name.toLowerCase().replaceAll(' ', '-'));
  });
});

describe('platforms', () => {
  it('holds ten identifiers, each once', () => {
    expect(new Set(platforms).size).toBe(10);
  });
});
