import { expect, it } from 'vitest';

import { describeLane } from './describe-lane.ts';
import { usualPolicies } from './pace/policy.ts';

it('gives each address that is posted to a lane of its own', () => {
  const nameLane = (target: string): string =>
    describeLane({ destination: 'http', target }, usualPolicies).name;
  expect(nameLane('a.example.com#1f0c9a2b')).toBe('http a.example.com#1f0c9a2b');
  expect(nameLane('b.example.com#1f0c9a2b')).toBe('http b.example.com#1f0c9a2b');
});
