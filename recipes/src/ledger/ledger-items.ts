import type { ClaimRequest, EffectFacts, Settlement } from './ledger.ts';

/** One claim on its way into the store. */
export interface ClaimItem {
  readonly effectKey: string;
  readonly request: ClaimRequest;
}

/** One settlement on its way into the store. */
export interface SettleItem {
  readonly effectKey: string;
  readonly fence: number;
  readonly settlement: Settlement;
  readonly request: Pick<ClaimRequest, 'nowMs' | 'facts' | 'subject'>;
}

/** Throws when a number is none that a store can keep: in a group it would stand in the way of the others. */
export function checkClaim(item: ClaimItem): ClaimItem {
  const { nowMs, leaseMs, earliestMs, facts } = item.request;
  checkNumbers([nowMs, leaseMs, earliestMs], facts);
  return item;
}

/** Throws as {@link checkClaim} does. */
export function checkSettlement(item: SettleItem): SettleItem {
  checkNumbers([item.fence, item.request.nowMs], item.request.facts);
  return item;
}

function checkNumbers(numbers: readonly number[], { part, receivedAtMs }: EffectFacts): void {
  if (![...numbers, part, receivedAtMs].every(Number.isSafeInteger)) {
    throw new TypeError('the ledger was given a time or a number that is no whole number');
  }
}
