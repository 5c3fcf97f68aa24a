/** A ledger that keeps nothing: each effect is always free to be sent. What a worker without a ledger would be. */
export const forgetfulLedger = {
  claim: async () => ({ state: 'claimed', fence: 1 }),
  renew: async () => true,
  settle: async () => true,
  read: async () => undefined,
  list: async () => [],
  counts: async () => ({ pending: 0, sending: 0, unknown: 0, sent: 0, skipped: 0, failed: 0, parked: 0 }),
  reopen: async () => undefined,
  decide: async () => undefined,
  sweep: async () => undefined,
  close: async () => undefined,
};
