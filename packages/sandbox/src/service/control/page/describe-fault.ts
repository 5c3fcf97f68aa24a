import type { FaultOrder } from '../../../faults/fault-plan.ts';
import { deliveryFaultKinds, type CallFault, type DeliveryFault } from '../../../faults/fault.ts';
import { describeCount } from './describe-count.ts';

type Order = FaultOrder<CallFault | DeliveryFault>;
type MeasuredKind = 'latency' | 'status' | 'drip' | 'stale_timestamp';

const words: Readonly<Record<Exclude<Order['kind'], MeasuredKind>, string>> = {
  reset: 'Connection reset, nothing done',
  empty: 'Connection closed without an answer, nothing done',
  garbage: 'Answered with bytes that are no HTTP, nothing done',
  hang: 'No answer comes, nothing done',
  drop_after: 'Done, but the connection closes without an answer',
  cut: 'Done, but the answer breaks off in its body',
  duplicate: 'Sent twice at once',
  reorder: 'Held back until the next one was sent',
  bad_signature: 'Sent with a wrong signature',
  drop: 'Never sent',
};

/** What happens, in words; nothing of how often and where. */
export function describeFault(fault: Order): string {
  if (fault.kind === 'latency') return `Played ${String(fault.ms)} ms late`;
  if (fault.kind === 'status') {
    return `Answered ${String(fault.status)}${describeWait(fault.retry_after_seconds)}`;
  }
  if (fault.kind === 'drip') return `Done, but the answer comes a byte every ${String(fault.ms)} ms`;
  if (fault.kind === 'stale_timestamp') return `Signed ${String(fault.seconds)} s in the past`;
  return words[fault.kind];
}

function describeWait(seconds: number | undefined): string {
  return seconds === undefined ? '' : `, Retry-After: ${String(seconds)}`;
}

/** Where a fault can happen, and how often. */
export function describeAim({ kind, on, times, after, probability }: CallFault | DeliveryFault): string {
  const noun = deliveryFaultKinds.some((known) => known === kind) ? 'delivery' : 'call';
  const parts = [
    `on ${on === 'any' ? `any ${noun}` : on}`,
    times === null ? 'until it is taken back' : describeCount(times),
    after > 0 && `after ${String(after)} unharmed`,
    probability < 1 && `with a chance of ${String(Number((probability * 100).toPrecision(3)))} %`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}
