import type { Pool } from 'pg';

import { describeError } from '../describe-error.ts';
import type { Fingerprint } from '../inbox-store.ts';
import type { Log } from '../log.ts';

/** Expired fingerprints are deleted at most this often, and this many at once. */
const CLEAN_EVERY_MS = 60_000;
const CLEAN_AT_ONCE = 5000;

export interface PostgresFingerprints {
  /** Those of `keys` that are known and not expired. */
  findKnown(keys: readonly string[]): Promise<ReadonlySet<string>>;
  mark(fingerprints: readonly Fingerprint[]): Promise<void>;
}

/** The table of fingerprints of a namespace. */
export function createPostgresFingerprints(
  pool: Pool,
  { namespace, clock, log }: { readonly namespace: string; readonly clock: () => number; readonly log: Log },
): PostgresFingerprints {
  const table = `"${namespace}".fingerprints`;
  let cleanedAtMs = clock();

  function cleanSometimes(): void {
    if (clock() - cleanedAtMs < CLEAN_EVERY_MS) return;
    cleanedAtMs = clock();
    pool
      .query(
        `delete from ${table} where key in (select key from ${table} where expires_at_ms <= $1 limit ${CLEAN_AT_ONCE})`,
        [clock()],
      )
      .catch((error: unknown) => log.debug({ error: describeError(error) }, 'cleaning fingerprints failed'));
  }

  return {
    async findKnown(keys) {
      if (keys.length === 0) return new Set();
      const { rows } = await pool.query<{ key: string }>(
        `select key from ${table} where key = any($1::text[]) and expires_at_ms > $2`,
        [keys, clock()],
      );
      return new Set(rows.map(({ key }) => key));
    },
    async mark(fingerprints) {
      if (fingerprints.length === 0) return;
      const expiryMs = new Map(
        fingerprints.map(({ key, keepSeconds }) => [key, clock() + keepSeconds * 1000]),
      );
      // One order for everybody: two processes that mark the same keys can't block each other.
      const keys = [...expiryMs.keys()].toSorted();
      await pool.query(
        `insert into ${table} (key, expires_at_ms)
         select * from unnest($1::text[], $2::bigint[])
         on conflict (key) do update set expires_at_ms = excluded.expires_at_ms`,
        [keys, keys.map((key) => expiryMs.get(key))],
      );
      cleanSometimes();
    },
  };
}
