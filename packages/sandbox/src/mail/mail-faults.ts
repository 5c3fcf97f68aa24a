import { createCallFaultPlan, type FaultPlan } from '../faults/fault-plan.ts';
import type { CallFault } from '../faults/fault.ts';

/**
 * Where a fault can happen in a transaction. `data`: a connection is lost at that command, and a `status` comes after
 * the final dot; nothing is kept. `accepted`: the message is kept before it happens. One recipient alone is
 * `rcpt:tom@example.com`.
 */
const mailTargets = ['connect', 'auth', 'mail', 'rcpt', 'data', 'accepted'];

/** The faults of a mail server, of the same kinds as those of an HTTP call; `status` is the code of the reply. */
export function createMailFaultPlan(seed?: number): FaultPlan<CallFault> {
  const plan = createCallFaultPlan({ seed });
  const order: typeof plan.order = (body) => {
    const on = readOn(body);
    if (on === undefined || isTarget(on)) return plan.order(body);
    return { refusal: `on: a fault can happen on any, ${mailTargets.join(', ')}, or rcpt:<address>.` };
  };
  return {
    ...plan,
    order,
    add(wanted) {
      const outcome = order(wanted);
      if ('refusal' in outcome) throw new RangeError(outcome.refusal);
      return outcome.planned;
    },
  };
}

/** The fault that hits a recipient: the one that names them goes first. */
export function takeRecipientFault(plan: FaultPlan<CallFault>, address: string): CallFault | undefined {
  const own = `rcpt:${address.toLowerCase()}`;
  const named = plan.list().find(({ fault }) => fault.on.toLowerCase() === own);
  return (named === undefined ? undefined : plan.take(named.fault.on)) ?? plan.take('rcpt');
}

function isTarget(on: string): boolean {
  return on === 'any' || mailTargets.includes(on) || /^rcpt:[^\s@]+@[^\s@]+$/.test(on);
}

function readOn(body: unknown): string | undefined {
  const on = typeof body === 'object' && body !== null && 'on' in body ? body.on : undefined;
  return typeof on === 'string' ? on : undefined;
}
