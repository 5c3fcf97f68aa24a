import type { z } from 'zod';

import { createSeededRandom } from '../service/create-seeded-random.ts';
import { createFaultNumbers, type FaultNumbers } from './fault-numbers.ts';
import {
  callFaultKinds,
  callFaultSchema,
  deliveryFaultKinds,
  deliveryFaultSchema,
  type CallFault,
  type DeliveryFault,
} from './fault.ts';
import { readFaultOrder, type FaultRefusal } from './read-fault-order.ts';

export interface Aimed {
  readonly kind: string;
  readonly on: string;
  readonly times: number | null;
  readonly after: number;
  readonly probability: number;
}

/** A fault as somebody wants it: with nothing else said, it hits the next call, once. */
export type FaultOrder<Fault extends Aimed> = Fault extends Aimed
  ? Omit<Fault, 'on' | 'times' | 'after' | 'probability'> & Partial<Omit<Aimed, 'kind'>>
  : never;

export interface PlannedFault<Fault> {
  /** `fault-1`, `fault-2`, ... */
  readonly id: string;
  readonly fault: Fault;
  /** How often it happened. */
  readonly happened: number;
}

/** The faults that are to happen, of one kind of target. */
export interface FaultPlan<Fault extends Aimed> {
  /** Throws `RangeError` on a fault that breaks a rule or could never hit anything. */
  readonly add: (order: FaultOrder<Fault>) => PlannedFault<Fault>;
  /** As `add`, of what came over the wire; a refusal says what to write instead. */
  readonly order: (body: unknown) => { readonly planned: PlannedFault<Fault> } | FaultRefusal;
  readonly kinds: readonly string[];
  readonly list: () => readonly PlannedFault<Fault>[];
  readonly remove: (id: string) => boolean;
  /** Takes back all that are to happen. */
  readonly clear: () => void;
  /** As `clear`, and ends the calls that a fault holds up. */
  readonly reset: () => void;
  /** To be called for a call that a fault holds up: `end` ends it when the plan is reset. Returns what is to be called when it is over. */
  readonly hold: (end: () => void) => () => void;
  /** The fault that hits this call, if one does; it counts as having happened. The first that was added wins. */
  readonly take: (target: string) => Fault | undefined;
}

export interface FaultPlanOptions {
  /** What a fault can be `on`, besides `any`. Default: everything. */
  readonly targets?: readonly string[] | undefined;
  /** With a seed, faults by chance hit the same calls in every run. */
  readonly seed?: number | undefined;
  /** Shared by plans whose faults must not have the same id. */
  readonly numbers?: FaultNumbers | undefined;
}

export function createCallFaultPlan(options: FaultPlanOptions = {}): FaultPlan<CallFault> {
  return createFaultPlan(callFaultSchema, callFaultKinds, options);
}

export function createDeliveryFaultPlan(options: FaultPlanOptions = {}): FaultPlan<DeliveryFault> {
  return createFaultPlan(deliveryFaultSchema, deliveryFaultKinds, { targets: ['deliveries'], ...options });
}

interface Entry<Fault> {
  readonly id: string;
  readonly fault: Fault;
  /** Its own: which calls a fault hits does not depend on what else is planned. */
  readonly random: () => number;
  happened: number;
  passed: number;
}

export function createFaultPlan<Fault extends Aimed>(
  schema: z.ZodType<Fault>,
  kinds: readonly string[],
  { targets, seed, numbers = createFaultNumbers() }: FaultPlanOptions,
): FaultPlan<Fault> {
  const entries = new Map<string, Entry<Fault>>();
  const held = new Set<() => void>();

  function plan(fault: Fault): PlannedFault<Fault> {
    const number = numbers.take();
    const id = `fault-${String(number)}`;
    const random = seed === undefined ? Math.random : createSeededRandom(mixSeed(seed, number));
    const entry: Entry<Fault> = { id, fault, random, happened: 0, passed: 0 };
    entries.set(id, entry);
    return describe(entry);
  }

  function order(body: unknown): { readonly planned: PlannedFault<Fault> } | FaultRefusal {
    const reading = readFaultOrder(body, schema, kinds, targets);
    return 'fault' in reading ? { planned: plan(reading.fault) } : reading;
  }

  return {
    add(wanted) {
      const outcome = order(wanted);
      if ('refusal' in outcome) throw new RangeError(outcome.refusal);
      return outcome.planned;
    },
    order,
    kinds,
    list: () => [...entries.values()].map(describe),
    remove: (id) => entries.delete(id),
    clear() {
      entries.clear();
    },
    reset() {
      entries.clear();
      for (const end of held) end();
      held.clear();
    },
    hold(end) {
      held.add(end);
      return () => held.delete(end);
    },
    take(target) {
      for (const entry of entries.values()) {
        if (!hits(entry, target)) continue;
        entry.happened += 1;
        return entry.fault;
      }
      return undefined;
    },
  };
}

/** Far apart for faults and seeds that are neighbours: by the generator alone they would begin alike. */
function mixSeed(seed: number, number: number): number {
  return Math.imul(seed + Math.imul(number, 0x9e_37_79_b1), 0x85_eb_ca_6b);
}

function hits<Fault extends Aimed>(entry: Entry<Fault>, target: string): boolean {
  const { on, times, after, probability } = entry.fault;
  if (on !== 'any' && on !== target) return false;
  if (times !== null && entry.happened >= times) return false;
  if (entry.passed < after) {
    entry.passed += 1;
    return false;
  }
  return probability === 1 || entry.random() < probability;
}

function describe<Fault>({ id, fault, happened }: Entry<Fault>): PlannedFault<Fault> {
  return { id, fault, happened };
}
