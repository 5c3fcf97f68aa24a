import type { Pool } from 'pg';

import { hashText } from './hash-text.ts';

/** A table, an index or a function of ours in the namespace's schema, and the SQL that makes it. */
export interface SchemaObject {
  readonly name: string;
  readonly sql: string;
  /** Of a function: tells its text from another one's, and is kept as its comment. */
  readonly hash?: string;
}

/** A function, which is made anew when its text has changed. */
export function describeFunction(name: string, sql: string): SchemaObject {
  return { name, sql, hash: hashText(sql) };
}

/**
 * Makes what is missing, in the order given. Where all is there it only reads: what makes things takes locks, and only
 * their owner may.
 */
export async function prepareObjects(
  pool: Pool,
  namespace: string,
  objects: readonly SchemaObject[],
): Promise<void> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    const listMissing = async (): Promise<readonly SchemaObject[]> => {
      const { rows } = await client.query<{ name: string; hash: string | null }>(
        `select relname as name, null as hash from pg_class as c join pg_namespace as n on n.oid = relnamespace
          where nspname = $1 and relname = any ($2)
         union all
         select proname, obj_description(p.oid, 'pg_proc') from pg_proc as p join pg_namespace as n on n.oid = pronamespace
          where nspname = $1 and proname = any ($2)`,
        [namespace, objects.map(({ name }) => name)],
      );
      return objects.filter(
        ({ name, hash }) => !rows.some((row) => row.name === name && (row.hash ?? undefined) === hash),
      );
    };
    if ((await listMissing()).length === 0) return;
    await client.query('begin');
    // `if not exists` alone is not safe against a second process that does the same.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`aftermeet:${namespace}`]);
    for (const { sql, name, hash } of await listMissing()) {
      await client.query(sql);
      if (hash !== undefined) await client.query(`comment on function "${namespace}".${name} is '${hash}'`);
    }
    await client.query('commit');
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // A connection whose transaction failed is not used again.
    client.release(failure !== undefined);
  }
}
