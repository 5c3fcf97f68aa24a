import type { Assumption } from './assumption.ts';
import { endpointAssumptions } from './endpoint-assumptions.ts';
import { resourceAssumptions } from './resource-assumptions.ts';
import { serviceAssumptions } from './service-assumptions.ts';
import { silentAssumptions } from './silent-assumptions.ts';

/** All that the specification does not show, in its own order, and what it does not mention at the end. */
export const assumptions: readonly Assumption[] = [
  ...resourceAssumptions,
  ...endpointAssumptions,
  ...serviceAssumptions,
  ...silentAssumptions,
];
