import type { ServiceContext } from './raw-request.ts';

/** How long the requests for one item may take, as far as the author of the workflow says it. */
export interface RequestLimits {
  /** Of one attempt, until the service answers. */
  readonly timeoutMs?: number | undefined;
  /** Of one request with all its attempts and the waits between them. */
  readonly totalMs?: number | undefined;
}

/** By the execution: n8n works on one item of a node after the other. */
const limitsOf = new WeakMap<ServiceContext, RequestLimits>();

/** From now on the requests of this execution keep these limits. */
export function limitRequests(context: ServiceContext, limits: RequestLimits): void {
  limitsOf.set(context, limits);
}

export function findRequestLimits(context: ServiceContext): RequestLimits {
  return limitsOf.get(context) ?? {};
}

/** A silent service is asked for a third time, and a wait of a minute that it asks for is still kept. */
const TOTAL_MS = 90_000;

/** How long a request may take in all. Where only one attempt was limited, that attempt always fits in. */
export function findTotalMs(context: ServiceContext, usualMs = TOTAL_MS): number {
  const { timeoutMs = 0, totalMs } = findRequestLimits(context);
  return totalMs ?? Math.max(usualMs, timeoutMs);
}
