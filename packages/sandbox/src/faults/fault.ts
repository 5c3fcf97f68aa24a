import { z } from 'zod';

import { countFrom, sayUnknownField, wholeNumber } from './fault-words.ts';

const onWords = { error: 'must be text of 1 to 100 characters' };
const chanceWords = { error: 'must be a number above 0, at most 1' };

/** How often and where a fault happens. */
const aim = {
  /** An operation's id, `mcp`, `deliveries` or `any`; at a vendor's stand-in, the name of its method. */
  on: z.string(onWords).min(1, onWords).max(100, onWords).default('any'),
  /** How often it happens; null means again and again until it is taken back. */
  times: countFrom(1, ', or null for until it is taken back').nullable().default(1),
  /** How many calls that it could hit pass unharmed first. */
  after: countFrom(0).default(0),
  /** Of each call that it could hit. */
  probability: z.number(chanceWords).gt(0, chanceWords).max(1, chanceWords).default(1),
};

/** The schema of one kind of fault; `shape` is what it has besides its aim. */
export function kind<const Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) {
  const error = sayUnknownField([...Object.keys(shape), ...Object.keys(aim)]);
  return z.strictObject({ kind: z.literal(name), ...shape, ...aim }, { error });
}

/** Of the machine's time: whoever waits for the answer has no other. */
const waitMs = wholeNumber(0, 600_000);

const callKinds = [
  /** The call is played later. */
  kind('latency', { ms: waitMs }),
  /** This answer instead, with no effect: 429 with `retry_after_seconds`, 500, 503, ... */
  kind('status', {
    status: wholeNumber(400, 599),
    retry_after_seconds: wholeNumber(0, 86_400).optional(),
  }),
  /** The connection is reset before anything is done. */
  kind('reset', {}),
  /** The connection ends without a byte of an answer, before anything is done. */
  kind('empty', {}),
  /** Bytes that are no HTTP, before anything is done. */
  kind('garbage', {}),
  /** Nothing is done, and no answer comes. */
  kind('hang', {}),
  /** The call is done, and the connection ends without an answer. */
  kind('drop_after', {}),
  /** The call is done, and its answer breaks off in the middle of the body. */
  kind('cut', {}),
  /** The call is done, and the body of its answer comes one byte at a time, each after so many milliseconds. */
  kind('drip', { ms: waitMs.default(100) }),
] as const;

const deliveryKinds = [
  /** Sent twice at once, under the same delivery id. */
  kind('duplicate', {}),
  /** Held back until the next delivery has been sent. */
  kind('reorder', {}),
  kind('bad_signature', {}),
  /** Signed with a time that lies so many seconds in the past. */
  kind('stale_timestamp', { seconds: wholeNumber(1, 864_000).default(600) }),
  /** Never sent, and nobody is told: what `reconcile` is for. */
  kind('drop', {}),
] as const;

export const callFaultSchema = z.discriminatedUnion('kind', callKinds);
export const deliveryFaultSchema = z.discriminatedUnion('kind', deliveryKinds);

export type CallFault = z.output<typeof callFaultSchema>;
export type DeliveryFault = z.output<typeof deliveryFaultSchema>;

export const callFaultKinds = callKinds.map(({ shape }) => shape.kind.value);
export const deliveryFaultKinds = deliveryKinds.map(({ shape }) => shape.kind.value);

/** A call that is answered with this status instead of being played. */
export type StatusFault = Extract<CallFault, { readonly kind: 'status' }>;
