import type { Settlement } from './ledger.ts';

/** False: nothing was done, so that neither the count of probes nor the lease stands. */
export function isProbeUsed(settlement: Settlement): boolean {
  return settlement.state !== 'unknown' || settlement.isProbeUsed !== false;
}
