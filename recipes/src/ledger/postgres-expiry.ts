import { retentionMs } from './retention.ts';

/** SQL for "this row is past its time, and counts as not there". */
export function isPast(row: string, nowMs: string): string {
  const kept = Object.entries(retentionMs).map(([state, forMs]) => `when '${state}' then ${forMs}`);
  return `(${row}.changed_at_ms <= ${nowMs} - case ${row}.state ${kept.join(' ')} end) is true`;
}
