import type { FaultOrder } from '../../faults/fault-plan.ts';
import type { CallFault, DeliveryFault } from '../../faults/fault.ts';

/** A fault that people try often, under the name with which a form orders it. */
export interface CommonFault {
  readonly name: string;
  readonly order: FaultOrder<CallFault | DeliveryFault>;
}

export const commonCallFaults: readonly CommonFault[] = [
  { name: 'late', order: { kind: 'latency', ms: 3000 } },
  { name: 'too_many', order: { kind: 'status', status: 429, retry_after_seconds: 5 } },
  { name: 'server_error', order: { kind: 'status', status: 500 } },
  { name: 'unavailable', order: { kind: 'status', status: 503 } },
  { name: 'reset', order: { kind: 'reset' } },
  { name: 'empty', order: { kind: 'empty' } },
  { name: 'garbage', order: { kind: 'garbage' } },
  { name: 'hang', order: { kind: 'hang' } },
  { name: 'drop_after', order: { kind: 'drop_after' } },
  { name: 'cut', order: { kind: 'cut' } },
  { name: 'drip', order: { kind: 'drip', ms: 100 } },
];

export const commonDeliveryFaults: readonly CommonFault[] = [
  { name: 'duplicate', order: { kind: 'duplicate' } },
  { name: 'reorder', order: { kind: 'reorder' } },
  { name: 'bad_signature', order: { kind: 'bad_signature' } },
  { name: 'stale_timestamp', order: { kind: 'stale_timestamp', seconds: 600 } },
  { name: 'drop', order: { kind: 'drop' } },
];
