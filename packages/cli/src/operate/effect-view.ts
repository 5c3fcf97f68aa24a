import type { LedgerEntry, TracedEffect } from '@aftermeet/recipes';

import { formatIso } from './delivery-view.ts';

/** An effect for `--json`; of its target not even the hash. */
export function viewEffect({
  targetHash: _targetHash,
  receivedAtMs,
  firstIntentAtMs,
  changedAtMs,
  ...entry
}: LedgerEntry) {
  return {
    ...entry,
    receivedAt: formatIso(receivedAtMs),
    firstIntentAt: firstIntentAtMs > 0 ? formatIso(firstIntentAtMs) : undefined,
    changedAt: formatIso(changedAtMs),
  };
}

/** Of its job only how it is: what it carries names the target. */
export function viewJob(job: TracedEffect['job']) {
  if (job === undefined) return undefined;
  const { state, addedAtMs, finishedAtMs, dueAtMs, startedTimes, cause } = job;
  return {
    state,
    addedAt: formatIso(addedAtMs),
    finishedAt: finishedAtMs === undefined ? undefined : formatIso(finishedAtMs),
    dueAt: dueAtMs === undefined ? undefined : formatIso(dueAtMs),
    startedTimes,
    cause,
  };
}
