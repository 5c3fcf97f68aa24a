import { z } from 'zod';

import { createFaultNumbers } from '../faults/fault-numbers.ts';
import { createCallFaultPlan, createFaultPlan, type FaultPlan } from '../faults/fault-plan.ts';
import { kind, type CallFault, type StatusFault } from '../faults/fault.ts';

/** An error of Slack's own instead of the answer, as a 200 like all of them: `fatal_error`, `is_archived`, ... */
const errorFaultSchema = kind('error', {
  error: z.string().regex(/^[a-z0-9_]{1,80}$/, 'must be an error code such as fatal_error'),
  /** True: the call is done all the same. Slack says of `fatal_error` and `internal_error` that this may be so. */
  is_applied: z.boolean().default(false),
});

export type SlackErrorFault = z.output<typeof errorFaultSchema>;

export interface SlackFaultPlans {
  readonly calls: FaultPlan<CallFault>;
  readonly errors: FaultPlan<SlackErrorFault>;
}

/** `targets` are the names of the methods that are played. */
export function createSlackFaultPlans(targets: readonly string[], seed?: number): SlackFaultPlans {
  const options = { targets, seed, numbers: createFaultNumbers() };
  return {
    calls: createCallFaultPlan(options),
    errors: createFaultPlan(errorFaultSchema, ['error'], options),
  };
}

const codes: ReadonlyMap<number, string> = new Map([
  [401, 'invalid_auth'],
  [403, 'access_denied'],
  [404, 'unknown_method'],
  [408, 'request_timeout'],
  [429, 'ratelimited'],
  [503, 'service_unavailable'],
]);

/** Slack's body for a status that is no 200. */
export function describeSlackStatus({ status }: StatusFault): object {
  return { ok: false, error: codes.get(status) ?? (status >= 500 ? 'internal_error' : 'fatal_error') };
}
