import type { EffectJob } from '@aftermeet/queue';

/** How a destination is treated. Times are milliseconds. */
export interface DeliveryPolicy {
  /** Minimum time between effects that share a rate limit; 0: none. */
  readonly gapMs: number;
  /** How many effects of it one worker has under way at once. */
  readonly concurrency: number;
  /** How long one call may take; a mail server that has the mail gets five times as long to say so. */
  readonly timeoutMs: number;
  /** The first wait after a failure that may pass, and the longest: they double in between. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** How long the same thing may stand in an effect's way. */
  readonly patienceMs: number;
  /** How long after an unclear attempt the destination is asked about it. */
  readonly graceMs: number;
  /** How often it is asked before a person has to settle it. */
  readonly maxProbes: number;
  /** For destinations without lookup: send once more, or leave it to a person. */
  readonly whenUntraceable: 'resend' | 'hold';
  /** What shares a rate limit; absent: all effects of the destination. */
  readonly shareRateLimit?: (effect: Pick<EffectJob, 'target' | 'item'>) => RateLimitShare;
  /** After so many failures in a row nothing is sent for a while, then one effect tries. */
  readonly circuit: {
    readonly failures: number;
    readonly firstOpenMs: number;
    readonly maxOpenMs: number;
  };
}

/** Effects with the same name share a rate limit. It holds no address. */
interface RateLimitShare {
  readonly name: string;
  /** How many gaps one effect takes. Default: 1. */
  readonly gaps?: number;
}

/** How each destination is treated. */
export interface DeliveryPolicies {
  /** The default for a destination that is not known. */
  of(destination: string): DeliveryPolicy;
}

/** What an installation sets for a destination; undefined keeps the default. */
export type PolicyChange = { readonly [Key in keyof DeliveryPolicy]?: DeliveryPolicy[Key] | undefined };

/** By the name of the destination. */
export type PolicyChanges = Readonly<Record<string, PolicyChange | undefined>>;

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

export const DEFAULT_POLICY: DeliveryPolicy = {
  gapMs: 0,
  concurrency: 16,
  timeoutMs: 10 * second,
  firstWaitMs: 5 * second,
  maxWaitMs: 15 * minute,
  // Long enough for an outage that begins on a Friday evening and is repaired on Monday.
  patienceMs: 3 * day,
  graceMs: 15 * second,
  maxProbes: 10,
  whenUntraceable: 'resend',
  circuit: { failures: 5, firstOpenMs: 10 * second, maxOpenMs: 5 * minute },
};

/** The policies of these destinations with an installation's changes. */
export function createPolicies(
  destinations: readonly { readonly name: string; readonly policy?: Partial<DeliveryPolicy> }[],
  changes: PolicyChanges = {},
): DeliveryPolicies {
  const policies = new Map(
    destinations.map(({ name, policy }) => [
      name,
      changePolicy({ ...DEFAULT_POLICY, ...policy }, changes[name]),
    ]),
  );
  return { of: (destination) => policies.get(destination) ?? DEFAULT_POLICY };
}

function changePolicy(policy: DeliveryPolicy, change: PolicyChange = {}): DeliveryPolicy {
  const wanted = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...policy, ...Object.fromEntries(wanted) };
}
