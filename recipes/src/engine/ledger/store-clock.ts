import { createClockSkew } from '../store/clock-skew.ts';
import type { Ledger } from './ledger.ts';

/** A ledger that knows the clock of its store. */
export interface StoreLedger extends Ledger {
  /** Milliseconds since 1970. */
  readClockMs(): Promise<number>;
}

/**
 * Leases run on the store's clock, as the slots of rate limits do: else a worker whose clock is fast would take a lease
 * for over while the call runs. Times that come in and go out are the caller's; entries have those of the store.
 */
export async function withStoreClock(ledger: StoreLedger, machineClock: () => number): Promise<Ledger> {
  const skew = createClockSkew(() => ledger.readClockMs(), machineClock);
  await skew.refresh();
  const toStore = (ms: number): number => {
    void skew.refresh();
    return ms + skew.skewMs();
  };
  return {
    async claim(effectKey, request) {
      const skewMs = toStore(0);
      const claim = await ledger.claim(effectKey, { ...request, nowMs: request.nowMs + skewMs });
      if (claim.state === 'busy') return { ...claim, untilMs: claim.untilMs - skewMs };
      if (claim.state === 'probe') return { ...claim, firstIntentAtMs: claim.firstIntentAtMs - skewMs };
      return claim;
    },
    settle: (effectKey, fence, settlement, request) =>
      ledger.settle(effectKey, fence, settlement, { ...request, nowMs: toStore(request.nowMs) }),
    renew: (effectKey, fence, untilMs) => ledger.renew(effectKey, fence, toStore(untilMs)),
    read: (effectKey, nowMs) => ledger.read(effectKey, toStore(nowMs)),
    list: (filter) => ledger.list(filter),
    counts: () => ledger.counts(),
    countChanges: (states, edgesMs) => ledger.countChanges(states, edgesMs.map(toStore)),
    reopen: (effectKey, nowMs) => ledger.reopen(effectKey, toStore(nowMs)),
    resend: (effectKey, nowMs) => ledger.resend(effectKey, toStore(nowMs)),
    markRecalled: (effectKey, nowMs) => ledger.markRecalled(effectKey, toStore(nowMs)),
    decide: (effectKey, verdict, nowMs, reason) => ledger.decide(effectKey, verdict, toStore(nowMs), reason),
    resolveHeld: (effectKey, decision, nowMs, contentHash) =>
      ledger.resolveHeld(effectKey, decision, toStore(nowMs), contentHash),
    readApproval: (effectKey) => ledger.readApproval(effectKey),
    sweep: (nowMs) => ledger.sweep(toStore(nowMs)),
    close: () => ledger.close(),
  };
}
