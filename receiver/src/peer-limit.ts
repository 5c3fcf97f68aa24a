import type { Outcome, Refused, RefusalKind } from './outcome.ts';

/** How often something may be asked of one name (a peer, an address), and how fast that allowance comes back. */
export interface PeerLimitOptions {
  readonly burst: number;
  readonly perSecond: number;
  /** Names remembered at once; the longest unseen are forgotten first. */
  readonly maxPeers?: number;
}

export interface PeerLimit {
  /** Takes one token; when there is none, the seconds until the next. */
  take(
    name: string,
    nowMs: number,
  ): { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };
}

/** A token bucket for each name: a peer's for what is refused or broken off, an address's for hints. */
export function createPeerLimit({ burst, perSecond, maxPeers = 10_000 }: PeerLimitOptions): PeerLimit {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    take(name, nowMs) {
      const known = buckets.get(name);
      const tokens =
        known === undefined
          ? burst
          : Math.min(burst, known.tokens + (Math.max(0, nowMs - known.atMs) / 1000) * perSecond);
      buckets.delete(name);
      if (buckets.size >= maxPeers) {
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
 * What costs its peer a token: everything that is refused before or at the verification. What was signed pays nothing,
 * nor does what can't be stored now: behind a proxy everybody is one peer, and nobody pays for a forger.
 */
const paidKinds: ReadonlySet<RefusalKind> = new Set([
  'unauthorized',
  'unknown_endpoint',
  'wrong_method',
  'too_large',
  'wrong_encoding',
  'wrong_content_type',
] satisfies RefusalKind[]);

export function isPaid(outcome: Outcome): outcome is Refused {
  return !('id' in outcome) && paidKinds.has(outcome.kind);
}

/** Takes the token of a refusal; without one left, the refusal becomes `too_many`. */
export function charge(limit: PeerLimit, peer: string, refused: Refused, nowMs: number): Refused {
  const turn = limit.take(peer, nowMs);
  return turn.ok
    ? refused
    : { kind: 'too_many', cause: refused.cause, retryAfterSeconds: turn.retryAfterSeconds };
}
