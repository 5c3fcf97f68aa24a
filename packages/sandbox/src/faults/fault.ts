import { z } from 'zod';

/** How often and where a fault happens. */
const aim = {
  /** An operation's id, `mcp`, `deliveries` or `any`; at a vendor's stand-in, the name of its method. */
  on: z.string().min(1).max(100).default('any'),
  /** How often it happens; null means again and again until it is taken back. */
  times: z.int().min(1).nullable().default(1),
  /** How many calls that it could hit pass unharmed first. */
  after: z.int().min(0).default(0),
  /** Of each call that it could hit. */
  probability: z.number().gt(0).max(1).default(1),
};

/** The schema of one kind of fault; `shape` is what it has besides its aim. */
export function kind<const Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) {
  return z.strictObject({ kind: z.literal(name), ...shape, ...aim });
}

/** Of the machine's time: whoever waits for the answer has no other. */
const waitMs = z.int().min(0).max(600_000);

const callKinds = [
  /** The call is played later. */
  kind('latency', { ms: waitMs }),
  /** This answer instead, with no effect: 429 with `retry_after_seconds`, 500, 503, ... */
  kind('status', {
    status: z.int().min(400).max(599),
    retry_after_seconds: z.int().min(0).max(86_400).optional(),
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
  kind('stale_timestamp', { seconds: z.int().min(1).max(864_000).default(600) }),
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
