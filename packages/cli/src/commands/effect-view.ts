import type { LedgerEntry, Wait } from '@aftermeet/recipes';

import { formatMinute } from '../operate/operator.ts';
import { formatIso } from '../terminal/format.ts';

/** An effect for `--json`, without its target, not even the hash of it. */
export function viewEffect({
  targetHash: _targetHash,
  receivedAtMs,
  firstIntentAtMs,
  changedAtMs,
  eventKind: event,
  ...entry
}: LedgerEntry) {
  return {
    ...entry,
    event,
    receivedAt: formatIso(receivedAtMs),
    firstIntentAt: firstIntentAtMs > 0 ? formatIso(firstIntentAtMs) : undefined,
    changedAt: formatIso(changedAtMs),
  };
}

/** Why an effect waits, for `--json`. */
export function viewWait({ why, cause, nextTryMs }: Wait) {
  return { why, cause, nextTryAt: nextTryMs === undefined ? undefined : formatIso(nextTryMs) };
}

/** The state in the ledger; of an effect that is not tried yet, whether it waits or a worker has it. */
export function nameState(
  { state, cause }: Pick<LedgerEntry, 'state' | 'cause'>,
  wait: Wait | undefined,
): string {
  // It stays sent for the ledger, with the cause that it was taken back.
  if (state === 'sent' && cause !== undefined) return 'recalled';
  if (state !== 'pending' || wait === undefined) return state;
  return wait.why === 'under_way' ? 'under way' : 'waiting';
}

/** When an effect is tried next, as a minute in UTC. */
export function formatNextTry({ why, nextTryMs }: Wait): string {
  if (why === 'under_way') return 'under way';
  return nextTryMs === undefined ? 'a free worker' : formatMinute(nextTryMs);
}
