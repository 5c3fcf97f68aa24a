import type { Address } from './endpoints.ts';
import type { Outcome, Refused, RefusalKind } from './outcome.ts';

/** How many requests in a row are allowed, and how fast that allowance comes back. */
export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket per name. */
export interface RateLimiter {
  /** Takes one token; when there is none, returns the seconds until the next. */
  take(
    name: string,
    nowMs: number,
  ): { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };
}

/** Names in memory; the least recently seen are dropped first. */
const MAX_NAMES = 10_000;

export function createRateLimiter({ burst, perSecond }: RateLimit): RateLimiter {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    take(name, nowMs) {
      const known = buckets.get(name);
      const tokens =
        known === undefined
          ? burst
          : Math.min(burst, known.tokens + (Math.max(0, nowMs - known.atMs) / 1000) * perSecond);
      buckets.delete(name);
      if (buckets.size >= MAX_NAMES) {
        const [oldest] = buckets.keys();
        if (oldest !== undefined) buckets.delete(oldest);
      }
      const allowed = tokens >= 1;
      buckets.set(name, { tokens: allowed ? tokens - 1 : tokens, atMs: nowMs });
      return allowed
        ? { ok: true }
        : { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)) };
    },
  };
}

/**
 * The refusals that cost the peer a token. A genuine delivery costs none, and neither does one that cannot be stored:
 * behind a proxy all senders are one peer, and the service must not pay for a forger.
 */
const chargedKinds: ReadonlySet<RefusalKind> = new Set([
  'unauthorized',
  'unknown_endpoint',
  'wrong_method',
  'too_large',
  'wrong_encoding',
] satisfies RefusalKind[]);

export function isCounted(outcome: Outcome): outcome is Refused {
  return !('id' in outcome) && chargedKinds.has(outcome.kind);
}

/** Takes the token of a refusal; without one left, the refusal becomes `too_many`. */
export function countRefusal(limiter: RateLimiter, peer: string, refused: Refused, nowMs: number): Refused {
  const taken = limiter.take(peer, nowMs);
  return taken.ok
    ? refused
    : { kind: 'too_many', cause: refused.cause, retryAfterSeconds: taken.retryAfterSeconds };
}

/**
 * Limits the unsigned deliveries per capability address, before the body is read. Such an address may leak, and an
 * unsigned delivery does not show whether the service sent it. The limit is per address and not per peer, because a
 * leaked address has many peers. Returns undefined for a delivery within the limit.
 */
export function createUnsignedLimit(
  limit: RateLimit,
  nowMs: () => number,
): (address: Address) => Refused | undefined {
  const limiter = createRateLimiter(limit);
  return (address) => {
    const taken = limiter.take(`${address.endpoint}/${address.key ?? ''}`, nowMs());
    if (taken.ok) return undefined;
    return {
      kind: 'too_many',
      cause: 'unsigned deliveries at one address',
      retryAfterSeconds: taken.retryAfterSeconds,
    };
  };
}
