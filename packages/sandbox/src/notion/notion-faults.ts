import { z } from 'zod';

import { createFaultNumbers } from '../faults/fault-numbers.ts';
import { createCallFaultPlan, createFaultPlan, type FaultPlan } from '../faults/fault-plan.ts';
import { kind, type CallFault, type StatusFault } from '../faults/fault.ts';
import { describeRefusal } from './describe-refusal.ts';
import { findErrorCode, notionErrorCodes, notionErrors } from './notion-error-codes.ts';
import type { NotionRefusal } from './notion-refusal.ts';
import type { NotionRoute } from './notion-route.ts';

/** An error of Notion's own instead of the answer. */
const errorFaultSchema = kind('error', {
  code: z.enum(notionErrorCodes),
  /** Says more than the code: `public_api_request_rate_limit`, `public_api_space_request_rate_limit`, `public_api_request_blocked`. */
  rate_limit_reason: z.string().max(100).optional(),
  retry_after_seconds: z.int().min(0).max(86_400).optional(),
  /** True: the call is done all the same, as Notion says that a 503 can be. Default false. */
  is_applied: z.boolean().optional(),
  /** Whether the error then names what was made (`committed_resource_id`, `committed_child_ids`). Default true. */
  is_told: z.boolean().optional(),
});

export type NotionErrorFault = z.output<typeof errorFaultSchema>;

export interface NotionFaultPlans {
  readonly calls: FaultPlan<CallFault>;
  readonly errors: FaultPlan<NotionErrorFault>;
}

/** `targets` are the names of the methods that are played. */
export function createNotionFaultPlans(targets: readonly string[], seed?: number): NotionFaultPlans {
  const options = { targets, seed, numbers: createFaultNumbers() };
  return {
    calls: createCallFaultPlan(options),
    errors: createFaultPlan(errorFaultSchema, ['error'], options),
  };
}

/** The refusal that a fault means. `committed` is what Notion can tell of a call that was done all the same. */
export function describeErrorFault(fault: NotionErrorFault, committed: object = {}): NotionRefusal {
  const { code, rate_limit_reason: reason, retry_after_seconds: seconds, is_told: isTold = true } = fault;
  const data = {
    ...(reason === undefined ? {} : { rate_limit_reason: reason }),
    ...(isTold ? committed : {}),
  };
  return {
    refused: true,
    code,
    ...notionErrors[code],
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    ...(Object.keys(data).length === 0 ? {} : { additionalData: data }),
  };
}

/**
 * What Notion tells of a write that was saved: what was made in it, but not what the caller named itself
 * (https://developers.notion.com/reference/request-limits). The words of the guidance are not documented.
 */
export function describeCommit({ method, writesTo }: NotionRoute, done: object): object {
  if (writesTo === undefined) return {};
  const guidance = { retry_guidance: 'The write was saved. Do not repeat it.' };
  if ('results' in done && Array.isArray(done.results)) {
    const ids = done.results.map((item: unknown) =>
      typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined,
    );
    return { ...guidance, committed_child_ids: ids };
  }
  return 'id' in done && method === 'POST' ? { ...guidance, committed_resource_id: done.id } : guidance;
}

/** Notion's body for a fault of any status. */
export function describeNotionStatus(fault: StatusFault, requestId: string): unknown {
  const { status, retry_after_seconds: seconds } = fault;
  const code = findErrorCode(status);
  const refusal: NotionRefusal = {
    refused: true,
    status,
    code,
    message: notionErrors[code].message,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
  return describeRefusal(refusal, requestId).body;
}
