import { z } from 'zod';

import { createSeededRandom } from './ids.ts';
import { quoteName } from './values.ts';

/** Where, when and how often a fault happens. */
export interface FaultAim {
  readonly kind: string;
  readonly on: string;
  readonly times: number | null;
  readonly after: number;
  readonly probability: number;
}

/** A fault as a caller asks for it: with nothing else given, it hits the next call, once. */
export type FaultOrder<Fault extends FaultAim> = Fault extends FaultAim
  ? Omit<Fault, 'on' | 'times' | 'after' | 'probability'> & Partial<Omit<FaultAim, 'kind'>>
  : never;

export interface PlannedFault<Fault> {
  /** `fault-1`, `fault-2`, ... */
  readonly id: string;
  readonly fault: Fault;
  /** How often it happened. */
  readonly happened: number;
}

export type FaultOutcome<Fault> = { readonly planned: PlannedFault<Fault> } | { readonly refusal: string };

/** The faults that one server will inject. */
export interface FaultPlan<Fault extends FaultAim> {
  /** Throws `RangeError` on a fault that is invalid or could never hit anything. */
  readonly add: (order: FaultOrder<Fault>) => PlannedFault<Fault>;
  /** As `add`, for input from outside; a refusal says what to write instead. */
  readonly tryAdd: (input: unknown) => FaultOutcome<Fault>;
  /** In the order in which they were added. */
  readonly list: () => readonly PlannedFault<Fault>[];
  readonly remove: (id: string) => boolean;
  /** Removes all faults. */
  readonly clear: () => void;
  /** As `clear`; also ends the calls that a fault holds up, and numbers the next fault 1. */
  readonly reset: () => void;
  /** Registers a call that a fault holds up: `end` ends it on `reset`. Returns a function that unregisters it. */
  readonly hold: (end: () => void) => () => void;
  /** The fault of these kinds that hits this call, if any; it counts as having happened. The first that was added wins. */
  readonly take: <Kind extends Fault['kind']>(
    target: string,
    kinds: readonly Kind[],
  ) => Extract<Fault, { readonly kind: Kind }> | undefined;
}

/** Kinds of faults that happen to the same things. */
export interface FaultGroup<Fault extends FaultAim> {
  readonly schema: z.ZodType<Fault>;
  readonly kinds: readonly Fault['kind'][];
  /** What these faults can be `on`, besides `any`. Default: everything. */
  readonly targets?: readonly string[] | undefined;
  /** Accepts targets that cannot be listed. */
  readonly acceptsTarget?: (on: string) => boolean;
}

/** With a seed, faults with a probability hit the same calls in every run. */
export function createFaultPlan<Fault extends FaultAim>(
  groups: readonly FaultGroup<Fault>[],
  seed?: number,
): FaultPlan<Fault> {
  const entries = new Map<string, Entry<Fault>>();
  const held = new Set<() => void>();
  let lastNumber = 0;

  function tryAdd(input: unknown): FaultOutcome<Fault> {
    const parsed = parseFault(groups, input);
    if ('refusal' in parsed) return parsed;
    lastNumber += 1;
    const id = `fault-${String(lastNumber)}`;
    const random = seed === undefined ? Math.random : createSeededRandom(mixSeed(seed, lastNumber));
    const entry: Entry<Fault> = { id, fault: parsed.fault, random, happened: 0, passed: 0 };
    entries.set(id, entry);
    return { planned: describeEntry(entry) };
  }

  return {
    add(order) {
      const outcome = tryAdd(order);
      if ('refusal' in outcome) throw new RangeError(outcome.refusal);
      return outcome.planned;
    },
    tryAdd,
    list: () => [...entries.values()].map(describeEntry),
    remove: (id) => entries.delete(id),
    clear() {
      entries.clear();
    },
    reset() {
      entries.clear();
      for (const end of held) end();
      held.clear();
      lastNumber = 0;
    },
    hold(end) {
      held.add(end);
      return () => held.delete(end);
    },
    take(target, kinds) {
      for (const entry of entries.values()) {
        const { fault } = entry;
        if (!isOfKind(fault, kinds) || !hits(entry, target)) continue;
        entry.happened += 1;
        return fault;
      }
      return undefined;
    },
  };
}

interface Entry<Fault> {
  readonly id: string;
  readonly fault: Fault;
  /** Each fault has its own generator: which calls it hits does not depend on other faults. */
  readonly random: () => number;
  happened: number;
  passed: number;
}

function isOfKind<Fault extends FaultAim, Kind extends string>(
  fault: Fault,
  kinds: readonly Kind[],
): fault is Extract<Fault, { readonly kind: Kind }> {
  return kinds.some((kind) => kind === fault.kind);
}

function hits<Fault extends FaultAim>(entry: Entry<Fault>, target: string): boolean {
  const { on, times, after, probability } = entry.fault;
  if (on !== 'any' && on !== target) return false;
  if (times !== null && entry.happened >= times) return false;
  if (entry.passed < after) {
    entry.passed += 1;
    return false;
  }
  return probability === 1 || entry.random() < probability;
}

/** Spreads neighbouring seeds and numbers: the generator alone would start alike for them. */
function mixSeed(seed: number, number: number): number {
  return Math.imul(seed + Math.imul(number, 0x9e_37_79_b1), 0x85_eb_ca_6b);
}

function describeEntry<Fault>({ id, fault, happened }: Entry<Fault>): PlannedFault<Fault> {
  return { id, fault, happened };
}

function parseFault<Fault extends FaultAim>(
  groups: readonly FaultGroup<Fault>[],
  input: unknown,
): { readonly fault: Fault } | { readonly refusal: string } {
  const given = typeof input === 'object' && input !== null && 'kind' in input ? input.kind : undefined;
  const group = groups.find(({ kinds }) => kinds.some((known) => known === given));
  if (group === undefined) {
    return { refusal: `kind: must be one of ${groups.flatMap(({ kinds }) => kinds).join(', ')}.` };
  }
  const parsed = group.schema.safeParse(input, { error: describeIssue });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue === undefined || issue.path.length === 0 ? String(given) : `${issue.path.join('.')}:`;
    return { refusal: `${field} ${issue?.message ?? 'is invalid'}.` };
  }
  const { on, kind: name } = parsed.data;
  const { targets, acceptsTarget } = group;
  if (targets === undefined || on === 'any' || targets.includes(on) || acceptsTarget?.(on) === true) {
    return { fault: parsed.data };
  }
  return { refusal: `on: ${name} can happen on any, ${targets.join(', ')}.` };
}

// Faults of calls and of deliveries

/** A whole number; the refusal names the range. */
export function wholeNumber(min: number, max: number): z.ZodInt {
  const error = mustBe(`a whole number from ${String(min)} to ${String(max)}`);
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** A whole number of at least `min`; `otherwise` names what else it may be. */
function countFrom(min: number, otherwise = ''): z.ZodInt {
  const error = mustBe(`a whole number from ${String(min)} on${otherwise}`);
  return z.int({ error }).min(min, { error });
}

const targetMessage = { error: 'must be text of 1 to 100 characters' };
const probabilityMessage = { error: 'must be a number above 0, at most 1' };

const aim = {
  /** An operation's id, `mcp`, `deliveries` or `any`; at an emulator, the name of the vendor's method. */
  on: z.string(targetMessage).min(1, targetMessage).max(100, targetMessage).default('any'),
  /** How often it happens; null: until it is removed. */
  times: countFrom(1, ', or null for until it is taken back').nullable().default(1),
  /** How many calls that it could hit pass first. */
  after: countFrom(0).default(0),
  /** For each call that it could hit. */
  probability: z.number(probabilityMessage).gt(0, probabilityMessage).max(1, probabilityMessage).default(1),
};

/** The schema of one kind of fault; `shape` is what it has besides its aim. */
export function faultKind<const Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) {
  const known = [...Object.keys(shape), ...Object.keys(aim)].join(', ');
  const error = (issue: z.core.$ZodRawIssue): string | undefined => {
    if (issue.code !== 'unrecognized_keys') return undefined;
    return `has no ${quoteName(issue.keys[0] ?? '')}; besides kind it can have ${known}`;
  };
  return z.strictObject({ kind: z.literal(name), ...shape, ...aim }, { error });
}

/** Real time, not the sandbox's clock. */
const waitMs = wholeNumber(0, 600_000);

const callSchemas = [
  /** The call is handled later. */
  faultKind('latency', { ms: waitMs }),
  /** This answer instead, with no effect: 429 with `retry_after_seconds`, 500, 503, ... */
  faultKind('status', {
    status: wholeNumber(400, 599),
    retry_after_seconds: wholeNumber(0, 86_400).optional(),
  }),
  /** The connection is reset before anything is done. */
  faultKind('reset', {}),
  /** The connection ends without a byte of an answer, before anything is done. */
  faultKind('empty', {}),
  /** Bytes that are not HTTP, before anything is done. */
  faultKind('garbage', {}),
  /** Nothing is done, and no answer comes. */
  faultKind('hang', {}),
  /** The call is done, and the connection ends without an answer. */
  faultKind('drop_after', {}),
  /** The call is done, and its answer breaks off in the middle of the body. */
  faultKind('cut', {}),
  /** The call is done, and the body of its answer comes one byte at a time, each after so many milliseconds. */
  faultKind('drip', { ms: waitMs.default(100) }),
] as const;

const deliverySchemas = [
  /** Sent twice at once, under the same delivery id. */
  faultKind('duplicate', {}),
  /** Held for 30 s of sandbox time: what is sent meanwhile comes first. */
  faultKind('reorder', {}),
  faultKind('bad_signature', {}),
  /** Signed with a time so many seconds in the past. */
  faultKind('stale_timestamp', { seconds: wholeNumber(1, 864_000).default(600) }),
  /** Never sent, without any notice: the case that `reconcile` repairs. */
  faultKind('drop', {}),
] as const;

const callSchema = z.discriminatedUnion('kind', callSchemas);
const deliverySchema = z.discriminatedUnion('kind', deliverySchemas);

export type CallFault = z.output<typeof callSchema>;
export type DeliveryFault = z.output<typeof deliverySchema>;
/** A call that gets this status as its answer and is not handled. */
export type StatusFault = Extract<CallFault, { readonly kind: 'status' }>;

export const callFaultKinds = callSchemas.map(({ shape }) => shape.kind.value);
export const deliveryFaultKinds = deliverySchemas.map(({ shape }) => shape.kind.value);

export const callFaults: FaultGroup<CallFault> = { schema: callSchema, kinds: callFaultKinds };
export const deliveryFaults: FaultGroup<DeliveryFault> = {
  schema: deliverySchema,
  kinds: deliveryFaultKinds,
  targets: ['deliveries'],
};

// What a refusal says

function mustBe(what: string) {
  return (issue: z.core.$ZodRawIssue): string =>
    issue.input === undefined ? `is missing; it must be ${what}` : `must be ${what}`;
}

/** For issues that the schema has no message of its own for. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return mustBe(`one of ${issue.values.map(String).join(', ')}`)(issue);
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'boolean') return mustBe('true or false')(issue);
  return mustBe(issue.expected === 'string' ? 'text' : 'a number')(issue);
}
