import type { Pool } from 'pg';

import { describeError } from '../describe-error.ts';
import type { Log } from '../log.ts';

/** How often it is looked for expired marks and announcements, and how many one statement deletes. */
const CLEAN_EVERY_MS = 60_000;
const CLEAN_AT_ONCE = 1000;

export interface MarkCleanerOptions {
  readonly namespace: string;
  /** Milliseconds since 1970; marks expire by it. */
  readonly clock: () => number;
  readonly log: Log;
  /** For the pace: unlike `clock` it never jumps. */
  readonly nowMs?: () => number;
}

/**
 * Gives what is to be called at each write: now and then it deletes all that has expired, one small statement after
 * the other, and nobody waits for it.
 */
export function createMarkCleaner(
  pool: Pick<Pool, 'query'>,
  { namespace, clock, log, nowMs = () => performance.now() }: MarkCleanerOptions,
): () => void {
  let beganMs = nowMs();
  let isCleaning = false;

  async function clean(name: string): Promise<void> {
    const table = `"${namespace}".${name}`;
    let deleted: number | null;
    do {
      // Rows that a write holds are left to the next time: waiting for them could end in a deadlock.
      ({ rowCount: deleted } = await pool.query(
        `delete from ${table} where key in
          (select key from ${table} where expires_at_ms <= $1 limit ${CLEAN_AT_ONCE} for update skip locked)`,
        [clock()],
      ));
    } while (deleted === CLEAN_AT_ONCE);
  }

  async function cleanAll(): Promise<void> {
    isCleaning = true;
    try {
      await clean('marks');
      await clean('announcements');
    } catch (error) {
      log.warn({ error: describeError(error) }, 'cleaning marks and announcements failed');
    }
    isCleaning = false;
  }

  return () => {
    if (isCleaning || nowMs() - beganMs < CLEAN_EVERY_MS) return;
    beganMs = nowMs();
    void cleanAll();
  };
}
