import { type PolicyChanges, settlePolicies } from '@aftermeet/recipes';

/** Beside the call that is under way: its outcome is written down. */
const SETTLE_MS = 10_000;

/**
 * How long a worker may take to stop, milliseconds. What is cut off after that is settled by the next worker, which may
 * be long in coming: a mail server may take six timeouts to answer, a long page of Notion twelve to be written, all else
 * is over after one.
 */
export function findStopMs(changes: PolicyChanges): number {
  const { notion, email, slack, http, folder, service } = settlePolicies(changes);
  const once = [slack, http, folder, service].map(({ timeoutMs }) => timeoutMs);
  return Math.max(12 * notion.timeoutMs, 6 * email.timeoutMs, ...once) + SETTLE_MS;
}
